/** What the proxy reports of one exchange. */
import type { Departure } from '../exchange/exchange.js'

export interface ExchangeRecord {
  /** System time when the request arrived. */
  at: string
  method: string
  /** With the query; secrets, phone numbers and e-mail addresses are masked. */
  path: string
  /** The status that the deployment answered with; null if its reply did not arrive. */
  status: number | null
  request_id: string | null
  /** Milliseconds from the request to the end of the reply. */
  ms: number
  departures: readonly Departure[]
  /** Why there is no whole reply, or why the client did not get it. */
  error?: string
}
