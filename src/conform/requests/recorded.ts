/** A request and its reply as they were sent and received. */
export interface Recorded {
  readonly method: string
  /** Below the base address, with the query. */
  readonly path: string
  readonly request: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Uint8Array | undefined
  }
  readonly status: number
  readonly response: {
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>
    readonly text: string
  }
  /** System time when the request was sent and when the answer was complete. */
  readonly sentAt: number
  readonly answeredAt: number
}
