/** One request with its reply, as bytes, and what departs from the contract in it. */

/** Headers by lower-case name. */
export type HeaderMap = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Exchange {
  method: string
  /** Path with the base path and the query. */
  path: string
  requestHeaders: HeaderMap
  /** As sent, perhaps compressed; null if it was not kept. */
  requestBody: Uint8Array | null
  status: number
  responseHeaders: HeaderMap
  /** As received, perhaps compressed; null if it was not kept. */
  responseBody: Uint8Array | null
}

export interface Departure {
  where: 'request' | 'response'
  /** The part that departs: `status`, `header Retry-After`, `query limit`, `body data[0].phone`. */
  at: string
  message: string
  /** Number of the rule in docs/rules.md. */
  rule: string
}

/** Notes a departure of the part that is being checked. */
export type Note = (at: string, message: string, rule: string) => void

/** The value of a header; null if it is missing. Repeated headers are joined with commas. */
export function headerOf(headers: HeaderMap, name: string): string | null {
  const value = headers[name.toLowerCase()]
  if (value === undefined) return null
  return typeof value === 'string' ? value : value.join(', ')
}

/** The media type of a Content-Type header, in lower case without parameters; empty if there is none. */
export const mediaTypeOf = (headers: HeaderMap): string =>
  (headerOf(headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
