/** What a task asks of the outside world, as data: the loop has it performed and brings the outcome back as a step of its own. */

export interface Effect {
  kind: 'send'
  delivery: number
  tenant: number
  endpoint: number
  /** Pushed time reserved a start for it. */
  reserved: boolean
}
