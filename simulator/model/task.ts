/**
 * Every kind of task, as plain data: stored on the agenda, listed, and run after a restart. Numbers are row numbers.
 */

/** What a task asks of the outside world, as data. The engine performs it and applies the result as a separate step. */
export interface Effect {
  kind: 'send'
  delivery: number
  tenant: number
  endpoint: number
  /** Whether an advance of the clock reserved a start for it. */
  reserved: boolean
}

export type Task =
  /** A lead's own waiting time is over: a retry, a cooldown, a callback, or a time set by a person. */
  | { kind: 'lead.due'; lead: number; tenant: number }
  /** A call_now lead has waited in the queue for the campaign's late limit (rule D10). */
  | { kind: 'lead.late'; lead: number; tenant: number }
  /** Calling hours open or close for the leads of a campaign in one set of time zones. */
  | { kind: 'hours'; campaign: number; tenant: number; zone: string }
  /** Give a campaign's free lines to the first leads in its queue, after everything else that is due at that moment. */
  | { kind: 'lines'; campaign: number; tenant: number }
  /** The next step of a simulated call. */
  | { kind: 'call.beat'; call: number; beat: number; tenant: number }
  /** Attempt a webhook delivery. */
  | { kind: 'delivery.attempt'; delivery: number; tenant: number }
  /** Delete data that is past its retention period. */
  | { kind: 'retention' }

export type TaskKind = Task['kind']
export type TaskOf<K extends TaskKind> = Extract<Task, { kind: K }>
