/** The results of one action in a random run. */

export interface Seen {
  created: string[]
  /** Leads that were queued again or requested to be called: one `lead.queued` each. */
  arrivals: string[]
  /** Calls with another `call.completed`. */
  corrected: string[]
  /** Listed numbers by tenant, with those of their leads that had no event yet. */
  listed: Map<string, Set<string>>
}

export const nothingSeen = (): Seen => ({ created: [], arrivals: [], corrected: [], listed: new Map() })
