/** A contract as an OpenAPI 3.1 document. */
import type { Endpoint } from './endpoint.js'
import { headers, idempotencyKey } from './openapi/headers.js'
import { operation, tagOf } from './openapi/operation.js'
import { Schemas } from './openapi/schemas.js'
import type { Json } from './openapi/schemas.js'
import { webhooks } from './openapi/webhooks.js'
import { isControl } from './refusals-of.js'

export interface DocumentInfo {
  readonly title: string
  readonly version: string
  readonly description?: string
}

const origin = 'http://127.0.0.1:4010'

const server = (baseUrl: string): Json => ({ url: '{base_url}', variables: { base_url: { default: baseUrl } } })

const basic = { type: 'http', scheme: 'basic', description: 'User name: the key id. Password: its secret.' }
const bearer = { type: 'http', scheme: 'bearer', description: 'The secret alone.' }
const token = { type: 'http', scheme: 'bearer', description: 'The control token; none is asked for on loopback.' }

/** What only the API has: two ways to authenticate, headers of its own, and events. */
const apiFrame = (schemas: Schemas) => ({
  servers: [server(`${origin}/api/v1/external`)],
  security: [{ basic: [] }, { bearer: [] }],
  webhooks: webhooks(schemas),
  components: { securitySchemes: { basic, bearer }, headers, parameters: { IdempotencyKey: idempotencyKey } },
})

const controlFrame = () => ({
  servers: [server(origin)],
  security: [{}, { token: [] }],
  components: { securitySchemes: { token } },
})

function paths(endpoints: Readonly<Record<string, Endpoint>>, schemas: Schemas): Json {
  const items: Record<string, Record<string, Json>> = {}
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const item = (items[endpoint.path] ??= {})
    item[endpoint.method.toLowerCase()] = operation(name, endpoint, schemas)
  }
  return items
}

/** The whole document, as plain JSON data. Operations are called as the endpoints are in their contract. */
export function openapi(endpoints: Readonly<Record<string, Endpoint>>, info: DocumentInfo): Json {
  const schemas = new Schemas()
  const all = Object.values(endpoints)
  const described = paths(endpoints, schemas)
  const frame = all.every(isControl) ? controlFrame() : apiFrame(schemas)
  const tags = [...new Set(all.map(tagOf))].map((name) => ({ name }))
  const { components, ...rest } = frame
  const document = {
    openapi: '3.1.0',
    info,
    ...rest,
    tags,
    paths: described,
    components: { schemas: schemas.named, ...components },
  }
  // As it will be read: what is undefined is not there.
  return JSON.parse(JSON.stringify(document)) as Json
}
