/** What can come of a request besides its answer: the API says no, something else answers, or nothing does. */

/** The error object of a refusal, as the API sent it (specification, Errors). */
export interface ApiErrorBody {
  type?: string
  code: string
  message: string
  param?: string | null
  request_id?: string | null
  reason?: string
  lead_id?: string | null
  missing_permission?: string
  campaign_id?: string | null
  candidates?: readonly { id: string; campaign_id: string }[]
  [later: string]: unknown
}

/** The API refused. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly refusal: ApiErrorBody
  readonly headers: Readonly<Record<string, string>>
  /** Seconds the API asks to wait, where it asks. */
  readonly retryAfterSeconds: number | undefined
  /** What to name when asking the service about it. */
  readonly requestId: string | undefined

  constructor(
    status: number,
    refusal: ApiErrorBody,
    said: {
      headers?: Readonly<Record<string, string>>
      retryAfterSeconds?: number | undefined
      requestId?: string | undefined
    } = {},
  ) {
    super(refusal.message)
    this.headers = said.headers ?? {}
    this.status = status
    this.refusal = refusal
    this.retryAfterSeconds = said.retryAfterSeconds
    this.requestId = refusal.request_id ?? said.requestId
  }
}

/** Something answered that is not this API: a proxy, another server, a sign-in page. */
export class NotTheApiError extends Error {
  override readonly name = 'NotTheApiError'
  readonly status: number
  readonly requestId: string | undefined

  constructor(status: number, origin: string, detail: string, requestId?: string) {
    super(`${origin} answered ${status} with ${detail}, which is not an answer of this API.`)
    this.status = status
    this.requestId = requestId
  }
}

/** A request that no connection can carry as it was asked for: a header with a line break, an id that is a dot. */
export class UnsendableError extends Error {
  override readonly name = 'UnsendableError'
}

/** The service could not be reached, or the connection broke before the answer was whole. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** The system's or the library's code, such as `ECONNREFUSED`. */
  readonly code: string

  constructor(origin: string, code: string, explanation: string, cause: unknown) {
    super(`${origin} ${explanation}.`, { cause })
    this.code = code
  }
}
