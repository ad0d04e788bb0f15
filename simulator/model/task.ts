/** Everything the agenda can hold, as plain data: it is stored, shown, and run after a restart. Numbers are row numbers. */

export type Task =
  /** A lead's own waiting time is over: a retry, a cooldown, a callback, a time set by a person. */
  | { kind: 'lead.due'; lead: number; tenant: number }
  /** A call_now lead has waited in line as long as its campaign allows. */
  | { kind: 'lead.late'; lead: number; tenant: number }
  /** Calling hours open or close for the leads of a campaign that share their time zones. */
  | { kind: 'hours'; campaign: number; tenant: number; zone: string }
  /** Free lines of a campaign go to the first in line, once all else that is due at that moment has happened. */
  | { kind: 'lines'; campaign: number; tenant: number }
  /** The next thing that happens on the telephone. */
  | { kind: 'call.beat'; call: number; beat: number; tenant: number }
  /** A webhook delivery is to be tried. */
  | { kind: 'delivery.attempt'; delivery: number; tenant: number }
  /** What is older than its retention goes. */
  | { kind: 'retention' }

export type TaskKind = Task['kind']
export type TaskOf<K extends TaskKind> = Extract<Task, { kind: K }>
