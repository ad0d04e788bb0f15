/** The OpenAPI 3.1 documents of the API and of the simulator's control plane. */
import { control } from './control.js'
import type { Endpoint } from './base/endpoint.js'
import { apiVersion } from './events.js'
import { contract } from './index.js'
import { ErrorResponses } from './openapi/errors.js'
import { apiExamples, controlExamples } from './openapi/examples.js'
import { headers, idempotencyKey } from './openapi/headers.js'
import { apiDescription, controlDescription, tagDescriptions } from './openapi/info.js'
import { describeOperation, tagOf } from './openapi/operation.js'
import type { DocumentParts } from './openapi/operation.js'
import { Schemas } from './openapi/schemas.js'
import type { Json } from './openapi/schemas.js'
import { deliveryParameters, deliveryResponses, describeWebhooks } from './openapi/webhooks.js'

const license = { name: 'MIT', identifier: 'MIT' }

const basic = { type: 'http', scheme: 'basic', description: 'User name: the key id. Password: its secret.' }
const bearer = { type: 'http', scheme: 'bearer', description: 'The secret alone.' }
const token = { type: 'http', scheme: 'bearer', description: 'The control token. Not needed on loopback.' }

function describePaths(frame: DocumentParts): Json {
  const items: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(frame.endpoints)) {
    const item = (items[endpoint.path] ??= {})
    item[endpoint.method.toLowerCase()] = describeOperation(name, endpoint, frame)
  }
  return items
}

function frameOf(endpoints: Readonly<Record<string, Endpoint>>, examples: DocumentParts['examples']): DocumentParts {
  const schemas = new Schemas()
  return { endpoints, schemas, errors: new ErrorResponses(endpoints, schemas), examples }
}

const describeTags = (kind: 'api' | 'control', { endpoints }: DocumentParts): Json[] =>
  [...new Set(Object.values(endpoints).map(tagOf))].map((name) => ({ name, description: tagDescriptions[kind][name] }))

/** The document as it is sent, without undefined values. */
const plainJson = (document: object): Json => JSON.parse(JSON.stringify(document)) as Json

/** The API's document as plain JSON data. Operations are named after the contract's endpoints. */
export function apiDocument(baseUrl: string): Json {
  const frame = frameOf(contract, apiExamples)
  return plainJson({
    openapi: '3.1.0',
    info: { title: 'Lead-calling service', version: apiVersion, description: apiDescription, license },
    servers: [{ url: baseUrl }],
    security: [{ basic: [] }, { bearer: [] }],
    tags: describeTags('api', frame),
    paths: describePaths(frame),
    webhooks: describeWebhooks(frame.schemas),
    components: {
      schemas: frame.schemas.named,
      responses: { ...frame.errors.named, ...deliveryResponses },
      parameters: { IdempotencyKey: idempotencyKey, ...deliveryParameters },
      headers,
      securitySchemes: { basic, bearer },
    },
  })
}

/** The control plane's document. Its version is the simulator's. */
export function controlDocument(origin: string, version: string): Json {
  const frame = frameOf(control, controlExamples)
  return plainJson({
    openapi: '3.1.0',
    info: { title: 'Simulator control plane', version, description: controlDescription, license },
    servers: [{ url: origin }],
    security: [{}, { token: [] }],
    tags: describeTags('control', frame),
    paths: describePaths(frame),
    components: {
      schemas: frame.schemas.named,
      responses: frame.errors.named,
      securitySchemes: { token },
    },
  })
}
