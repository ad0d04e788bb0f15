/** What came of one thing that was done in a random run. */

export interface Seen {
  created: string[]
  /** Leads that came back to the queue, or were asked to be called: one `lead.queued` each. */
  arrivals: string[]
  /** Calls whose `call.completed` came again. */
  corrected: string[]
  /** Tenants and numbers that were listed, and those of their leads that were not told of it yet. */
  listed: Map<string, Set<string>>
}

export const nothingSeen = (): Seen => ({ created: [], arrivals: [], corrected: [], listed: new Map() })
