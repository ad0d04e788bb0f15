/** Many waiting leads of one campaign moved at once, by one statement each: when hours open or close, or a hold begins. */
import type { HeldReason, LeadStatus } from '../../src/contract/leads.js'
import type { Instant } from '../kernel/instant.js'
import type { Leads } from './lead.js'
import { updateMany, type Store, type Value } from './store.js'

/** Which leads: a condition on the columns of `leads` and its values. */
export interface Which {
  sql: string
  values: Value[]
}

export class WaitingRoom {
  constructor(
    readonly leads: Leads,
    readonly campaign: number,
  ) {}

  get #store(): Store {
    return this.leads.store
  }

  /** Changes many rows behind the back of those that were read, which are forgotten once what they owe is written. */
  #run(sql: string, ...values: Value[]): number {
    const changed = this.#store.run(sql, ...values)
    this.leads.forgetWhereTheyStand()
    return changed
  }

  #which(sql: string, ...values: Value[]): Which {
    return { sql: `tenant = ? AND campaign = ? AND ${sql}`, values: [this.leads.tenant, this.campaign, ...values] }
  }

  /** Those of some zones that wait for the hours alone and whose time has come. */
  waitingForHours(zone: string, now: Instant): Which {
    return this.#which(`zone = ? AND by_hours = 1 AND status = 'scheduled' AND scheduled_for <= ?`, zone, now)
  }

  /** Those in line, of some zones or of all. */
  inLine(zone?: string): Which {
    return zone === undefined
      ? this.#which(`status = 'queued'`)
      : this.#which(`zone = ? AND by_hours = 1 AND status = 'queued'`, zone)
  }

  numbers(which: Which, more = ''): number[] {
    return this.#store
      .all<{ n: number }>(`SELECT n FROM leads WHERE ${which.sql}${more}`, ...which.values)
      .map(({ n }) => n)
  }

  callNow(which: Which): number[] {
    return this.numbers(which, ' AND call_now = 1')
  }

  /** How many of some zones are in line, or scheduled for the hours alone; one more than `most` where there are more. */
  howMany(zone: string, status: 'queued' | 'scheduled', most: number): number {
    const { sql, values } = this.#which(`zone = ? AND by_hours = 1 AND status = ?`, zone, status)
    const limited = `SELECT count(*) AS n FROM (SELECT 1 FROM leads WHERE ${sql} LIMIT ?)`
    return this.#store.one<{ n: number }>(limited, ...values, most + 1)?.n ?? 0
  }

  /** Whether any of some zones is in line, or scheduled for the hours alone. */
  any(zone: string): boolean {
    const { sql, values } = this.#which(`zone = ? AND by_hours = 1`, zone)
    return this.#store.one(`SELECT 1 FROM leads WHERE ${sql} LIMIT 1`, ...values) !== undefined
  }

  /** Every lead that waits in one of the statuses, for judging them one by one. */
  withStatus(...statuses: LeadStatus[]): number[] {
    return this.numbers(this.#which(`status IN (${statuses.map(() => '?').join(',')})`, ...statuses), ' ORDER BY n')
  }

  /** Into the line: ordinary leads by the time they became due, call_now leads by their arrival. The answer is how many. */
  queue({ sql, values }: Which, now: Instant): number {
    return this.#run(
      `${updateMany} leads SET status = 'queued', due = scheduled_for, line_at = CASE call_now WHEN 1 THEN arrived ELSE scheduled_for END,
         scheduled_for = NULL, scheduled_reason = NULL, updated = ? WHERE ${sql}`,
      now,
      ...values,
    )
  }

  hold({ sql, values }: Which, reason: HeldReason, now: Instant): number {
    return this.#run(
      `${updateMany} leads SET status = 'held', by_hours = 0, held_reason = ?, scheduled_for = NULL, scheduled_reason = NULL, updated = ? WHERE ${sql}`,
      reason,
      now,
      ...values,
    )
  }

  schedule({ sql, values }: Which, at: Instant | null, now: Instant): number {
    return this.#run(
      `${updateMany} leads SET status = 'scheduled', scheduled_for = ?, scheduled_reason = 'outside_calling_hours', updated = ? WHERE ${sql}`,
      at,
      now,
      ...values,
    )
  }
}
