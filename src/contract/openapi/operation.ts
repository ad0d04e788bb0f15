/** One endpoint as an operation of the OpenAPI document. */
import * as z from 'zod'
import { isWrite } from '../base/endpoint.js'
import type { Endpoint } from '../base/endpoint.js'
import { noBody } from '../base/empty-body.js'
import { isControl } from '../errors/endpoint-errors.js'
import { usualHeaders } from './errors.js'
import type { ErrorResponses } from './errors.js'
import { headerRefs } from './headers.js'
import type { HeaderName } from './headers.js'
import { linksOf } from './links.js'
import type { Json, Schemas } from './schemas.js'

/** What operations are built from: the document's contract, its shared parts, and example bodies. */
export interface DocumentParts {
  endpoints: Readonly<Record<string, Endpoint>>
  schemas: Schemas
  errors: ErrorResponses
  examples: Readonly<Record<string, unknown>>
}

/** The tag is the first part of the id: `webhook_endpoints.create` has the tag `webhook_endpoints`. */
export const tagOf = (endpoint: Pick<Endpoint, 'id'>): string => endpoint.id.split('.')[0] ?? endpoint.id

function describeParameters(place: 'path' | 'query', schema: z.ZodType, schemas: Schemas): Json[] {
  const { properties = {}, required = [] } = schemas.of(schema, 'kept') as {
    properties?: Record<string, Record<string, unknown>>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    // `x-required` marks a parameter that is required in the document, although the server reads a missing one as empty.
    const { description, deprecated, 'x-required': always, ...rest } = property
    return {
      name,
      in: place,
      required: place === 'path' || always === true || required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(deprecated === undefined ? {} : { deprecated }),
      schema: always === true ? { ...rest, default: undefined } : rest,
    }
  })
}

function requestBody(body: z.ZodType, example: unknown, schemas: Schemas): Json {
  if (body === noBody) return {}
  const required = !body.safeParse(undefined).success
  const media = { schema: schemas.of(body), ...(example !== undefined && { example }) }
  return { requestBody: { required, content: { 'application/json': media } } }
}

/** A reply is JSON, text, or either. A text may name its media type. */
function describeContent(reply: z.ZodType, schemas: Schemas): Json {
  const kinds = (reply instanceof z.ZodUnion ? reply.options : [reply]) as readonly z.ZodType[]
  const objects = kinds.filter((kind) => !(kind instanceof z.ZodString)).map((kind) => schemas.of(kind))
  const media: Record<string, Json> = {}
  if (objects.length > 0) media['application/json'] = { schema: objects.length === 1 ? objects[0] : { anyOf: objects } }
  for (const kind of kinds) {
    if (!(kind instanceof z.ZodString)) continue
    const { contentMediaType = 'text/plain', ...schema } = schemas.of(kind)
    media[String(contentMediaType)] = { schema }
  }
  return media
}

const descriptions: Readonly<Record<string, string>> = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' }

function describeReplies(name: string, endpoint: Endpoint, { endpoints, schemas }: DocumentParts): Json {
  const statuses = Object.keys(endpoint.replies)
  const names: HeaderName[] = [...usualHeaders(endpoint), ...(endpoint.headers ?? [])]
  if (isWrite(endpoint) && !isControl(endpoint)) names.push('Idempotent-Replayed')
  return Object.fromEntries(
    Object.entries(endpoint.replies).map(([status, reply]) => {
      const isExisting = statuses.length > 1 && status === '200'
      const links = isExisting ? {} : linksOf(name, endpoints)
      return [
        status,
        {
          description: isExisting
            ? 'Nothing was created: a dry run, or a lead put back in the queue.'
            : descriptions[status],
          ...(names.length > 0 && { headers: headerRefs(names) }),
          content: describeContent(reply, schemas),
          ...(Object.keys(links).length > 0 && { links }),
        },
      ]
    }),
  )
}

function describeNeeds({ permissions, everyCampaign }: Endpoint): Json {
  if (permissions.length === 0) return {}
  const words = permissions.map((permission) => `\`${permission}\``).join(' and ')
  return { description: `Needs ${words}${everyCampaign ? ', on a key that covers every campaign' : ''}.` }
}

export function describeOperation(operationId: string, endpoint: Endpoint, frame: DocumentParts): Json {
  const { schemas, errors, examples } = frame
  const takesIdempotencyKey = isWrite(endpoint) && !isControl(endpoint)
  return {
    operationId,
    summary: endpoint.summary,
    ...describeNeeds(endpoint),
    tags: [tagOf(endpoint)],
    parameters: [
      ...describeParameters('path', endpoint.params, schemas),
      ...describeParameters('query', endpoint.query, schemas),
      ...(takesIdempotencyKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...requestBody(endpoint.body, examples[operationId], schemas),
    responses: { ...describeReplies(operationId, endpoint, frame), ...errors.of(endpoint) },
  }
}
