/** Interprets an answer: a reply of the API, a refusal of the API, or the answer of another server. */
import { ApiError, NotTheApiError, type ApiErrorBody } from './errors.js'
import type { Answer } from './exchange.js'
import { urlOf } from '../url.js'
import { parseJson } from './json.js'

export interface Reply<Body = unknown> {
  status: number
  headers: Readonly<Record<string, string>>
  /** Parsed JSON, or the text of a plain-text reply. Not validated: new fields are allowed. */
  body: Body
  requestId: string | undefined
}

/** Whether a body has the expected shape. */
export type Fits = (body: unknown) => boolean

/**
 * Throws `ApiError` for a refusal, and `NotTheApiError` for an answer that the API cannot have sent or that `fits`
 * rejects.
 */
export function readReply(answer: Answer, origin: string, now: number, fits: Fits = () => true): Reply {
  const { status, headers, text } = answer
  const done = status >= 200 && status < 300
  const requestId = headers['request-id']
  const isText = done && headers['content-type']?.startsWith('text/plain')
  const body = isText ? text : parseJson(text)
  const refusal = done ? undefined : readApiError(body)
  if (refusal)
    throw new ApiError(status, refusal, { headers, retryAfterSeconds: retryAfterSeconds(headers, now), requestId })
  // Every JSON reply has its content in `data` (rule C3).
  const isReply = isText || (done && isObject(body) && 'data' in body)
  if (!isReply || !fits(body)) throw new NotTheApiError(status, origin, describeBody(answer), requestId)
  return { status, headers, body, requestId }
}

/** The error object, if the body has the API's error shape (rule F1). */
export function readApiError(body: unknown): ApiErrorBody | undefined {
  if (!isObject(body) || !isObject(body['error'])) return undefined
  const { code, message } = body['error']
  if (typeof code !== 'string') return undefined
  return { ...body['error'], code, message: typeof message === 'string' ? message : code }
}

/** Seconds from now, from a number of seconds or an HTTP date; undefined if the header has neither. */
export function retryAfterSeconds(headers: Answer['headers'], now: number): number | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  // `Date.parse` accepts almost anything: it reads "-5" as a day in May.
  const date = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

function describeBody({ status, headers, text }: Answer): string {
  const location = status >= 300 && status < 400 ? urlOf(headers['location'] ?? '') : undefined
  if (location) return `a redirect to ${location.origin}`
  if (text === '') return 'an empty body'
  const type = headers['content-type']?.split(';')[0]
  return type ? `a body of type ${type}` : 'a body of no type'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
