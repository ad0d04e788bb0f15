/** What a task asks of the outside world, as data. The engine performs it and applies the result as a separate step. */

export interface Effect {
  kind: 'send'
  delivery: number
  tenant: number
  endpoint: number
  /** Whether an advance of the clock reserved a start for it. */
  reserved: boolean
}
