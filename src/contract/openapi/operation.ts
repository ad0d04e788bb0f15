/** One endpoint as an operation of the document. */
import { z } from 'zod'
import { isWrite } from '../endpoint.js'
import type { Endpoint } from '../endpoint.js'
import { noBody } from '../nothing.js'
import { isControl, refusalsOf } from '../refusals-of.js'
import { ErrorBody, refusals } from '../refusals.js'
import type { RefusalCode } from '../refusals.js'
import { headerRefs } from './headers.js'
import type { HeaderName } from './headers.js'
import type { Json, Schemas } from './schemas.js'

/** `webhook_endpoints.create` belongs to `webhook_endpoints`. */
export const tagOf = (endpoint: Pick<Endpoint, 'id'>): string => endpoint.id.split('.')[0] ?? endpoint.id

function parameters(place: 'path' | 'query', schema: z.ZodType, schemas: Schemas): Json[] {
  const { properties = {}, required = [] } = schemas.of(schema) as {
    properties?: Record<string, Record<string, unknown>>
    required?: string[]
  }
  return Object.entries(properties).map(([name, words]) => {
    const { description, deprecated, 'x-required': always, ...rest } = words
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

function requestBody(body: z.ZodType, schemas: Schemas): Json {
  if (body === noBody) return {}
  const required = !body.safeParse(undefined).success
  return { requestBody: { required, content: { 'application/json': { schema: schemas.of(body) } } } }
}

/** A reply is JSON, text, or either; a text may say what kind of text it is. */
function content(reply: z.ZodType, schemas: Schemas): Json {
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

/** The headers every reply of the endpoint carries. */
const usualHeaders = (endpoint: Endpoint): HeaderName[] =>
  isControl(endpoint) ? [] : ['Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

function replies(endpoint: Endpoint, schemas: Schemas): Json {
  const names: HeaderName[] = usualHeaders(endpoint)
  if (isWrite(endpoint) && !isControl(endpoint)) names.push('Idempotent-Replayed')
  const several = Object.keys(endpoint.replies).length > 1
  return Object.fromEntries(
    Object.entries(endpoint.replies).map(([status, reply]) => {
      const description = several && status === '200' ? 'Nothing new was made' : 'Done'
      return [status, { description, headers: headerRefs(names), content: content(reply, schemas) }]
    }),
  )
}

function errors(endpoint: Endpoint, schemas: Schemas): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of refusalsOf(endpoint)) {
    const { status } = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const waits = status === 429 || codes.includes('idempotency_in_progress')
      const names: HeaderName[] = [...usualHeaders(endpoint), ...(waits ? (['Retry-After'] as const) : [])]
      const description = codes.map((code) => `- \`${code}\`: ${refusals[code].sentence}`).join('\n')
      const schema = schemas.of(ErrorBody)
      return [status, { description, headers: headerRefs(names), content: { 'application/json': { schema } } }]
    }),
  )
}

function needs({ permissions, everyCampaign }: Endpoint): Json {
  if (permissions.length === 0) return {}
  const words = permissions.map((permission) => `\`${permission}\``).join(' and ')
  return { description: `Needs ${words}${everyCampaign ? ', on a key that covers every campaign' : ''}.` }
}

export function operation(operationId: string, endpoint: Endpoint, schemas: Schemas): Json {
  const takesKey = isWrite(endpoint) && !isControl(endpoint)
  return {
    operationId,
    summary: endpoint.summary,
    ...needs(endpoint),
    tags: [tagOf(endpoint)],
    parameters: [
      ...parameters('path', endpoint.params, schemas),
      ...parameters('query', endpoint.query, schemas),
      ...(takesKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...requestBody(endpoint.body, schemas),
    responses: { ...replies(endpoint, schemas), ...errors(endpoint, schemas) },
  }
}
