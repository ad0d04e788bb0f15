/** How a request can fail: the API refuses it, another server answers, or the connection fails. */

/** The error object as the API sent it (rule F1). */
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

/** The API refused the request. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly refusal: ApiErrorBody
  readonly headers: Readonly<Record<string, string>>
  /** Seconds that the API asks to wait, if it does. */
  readonly retryAfterSeconds: number | undefined
  /** The request id to quote when you ask the service about it. */
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

/** The answer did not come from this API but from a proxy, another server or a sign-in page. */
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

/** The request cannot be sent as given, for example a header with a line break or an id that is a dot. */
export class UnsendableError extends Error {
  override readonly name = 'UnsendableError'
}

/** The service could not be reached, or the connection broke before the answer was complete. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** The code of the system or the library, such as `ECONNREFUSED`. */
  readonly code: string

  constructor(origin: string, code: string, explanation: string, cause: unknown) {
    super(`${origin} ${explanation}.`, { cause })
    this.code = code
  }
}
