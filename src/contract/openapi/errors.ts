/** The error replies of a document: one shared response for each status and set of error codes. */
import type { Endpoint } from '../base/endpoint.js'
import { isControl, errorsOf, statusesOf } from '../errors/endpoint-errors.js'
import { ErrorBody, errorCatalogue } from '../errors/error-codes.js'
import type { ErrorCode } from '../errors/error-codes.js'
import { headerRefs } from './headers.js'
import type { HeaderName } from './headers.js'
import type { Json, Schemas } from './schemas.js'

/** Names of shared responses by status. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}

const rateLimits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** The headers of every successful reply. Control routes send none of them. */
export const usualHeaders = (endpoint: Endpoint): HeaderName[] =>
  isControl(endpoint) ? [] : ['Request-Id', ...rateLimits]

/** Rate limits count per key, so a request without a valid key gets no RateLimit headers. */
function headersOf(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): HeaderName[] {
  if (isControl(endpoint)) return []
  if (status === 401) return ['Request-Id', 'WWW-Authenticate']
  const waits = status === 429 || codes.includes('idempotency_in_progress')
  const isKept = status < 500 && status !== 429
  return [
    ...usualHeaders(endpoint),
    ...(waits ? (['Retry-After'] as const) : []),
    ...(isKept ? (['Idempotent-Replayed'] as const) : []),
  ]
}

function codesByStatus(endpoint: Endpoint): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorsOf(endpoint)) {
    for (const status of statusesOf(endpoint, code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus]
}

interface Shared {
  name: string
  uses: number
}

export class ErrorResponses {
  /** Responses by name. */
  readonly named: Record<string, Json> = {}
  readonly #shared = new Map<string, Shared>()

  /** The most used set of codes of a status gets the plain name. Other sets are named after their first operation. */
  constructor(
    endpoints: Readonly<Record<string, Endpoint>>,
    readonly schemas: Schemas,
  ) {
    for (const [operation, endpoint] of Object.entries(endpoints)) {
      for (const [status, codes] of codesByStatus(endpoint)) {
        const suffix = operation.charAt(0).toUpperCase() + operation.slice(1)
        const name = `${statusNames[status] ?? status}On${suffix}`
        const shared = this.#shared.get(keyOf(status, codes)) ?? { name, uses: 0 }
        this.#shared.set(keyOf(status, codes), { ...shared, uses: shared.uses + 1 })
      }
    }
    for (const plain of Object.values(statusNames)) {
      const sets = [...this.#shared.values()].filter(({ name }) => name.startsWith(`${plain}On`))
      const most = sets.sort((a, b) => b.uses - a.uses)[0]
      if (most) most.name = plain
    }
  }

  /** The error replies of an endpoint, as references by status. */
  of(endpoint: Endpoint): Json {
    return Object.fromEntries(
      codesByStatus(endpoint).map(([status, codes]) => {
        const name = this.#shared.get(keyOf(status, codes))?.name ?? ''
        this.named[name] ??= this.#response(endpoint, status, codes)
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  }

  #response(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Json {
    const description = codes.map((code) => `- \`${code}\`: ${errorCatalogue[code].sentence}`).join('\n')
    const narrowed = { type: 'object', properties: { code: { type: 'string', enum: codes } } }
    const schema = {
      allOf: [this.schemas.of(ErrorBody), { type: 'object', properties: { error: narrowed } }],
    }
    const names = headersOf(endpoint, status, codes)
    return {
      description,
      ...(names.length > 0 && { headers: headerRefs(names) }),
      content: { 'application/json': { schema } },
    }
  }
}

const keyOf = (status: number, codes: readonly ErrorCode[]): string => [status, ...codes].join(' ')
