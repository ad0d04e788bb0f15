/** Moves many waiting leads of one campaign with one statement: when hours open or close, or a hold begins. */
import type { HeldReason, LeadStatus } from '../../../src/contract/leads.js'
import type { Instant } from '../../kernel/instant.js'
import type { HoursStatus } from './hours-groups.js'
import type { Leads } from '../lead.js'
import type { Store, Value } from '../../storage/store.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

/** A condition on the columns of `leads`, with its values. */
export interface WaitingGroup {
  condition: string
  values: Value[]
}

/** The leads of one zone that calling hours move together. */
interface OfZone extends WaitingGroup {
  zone: string
}

export class WaitingLeads {
  constructor(
    readonly leads: Leads,
    readonly campaign: number,
  ) {}

  get #store(): Store {
    return this.leads.store
  }

  #update(change: string, ...values: Value[]): number {
    return this.#store.updateMany(tables.leads, change, ...values)
  }

  #which(condition: string, ...values: Value[]): WaitingGroup {
    return {
      condition: `tenant = ? AND campaign = ? AND ${condition}`,
      values: [this.leads.tenant, this.campaign, ...values],
    }
  }

  /** Leads of a zone that wait only for calling hours and are due now. */
  listWaitingForHours(zone: string, now: Instant): OfZone {
    return this.#ofZone(zone, `status = 'scheduled' AND scheduled_for <= ?`, now)
  }

  /** Queued leads of a zone. */
  listQueued(zone: string): OfZone {
    return this.#ofZone(zone, `status = 'queued'`)
  }

  #ofZone(zone: string, condition: string, ...values: Value[]): OfZone {
    return { ...this.#which(`zone = ? AND follows_hours = 1 AND ${condition}`, zone, ...values), zone }
  }

  /** Every queued lead. */
  get line(): WaitingGroup {
    return this.#which(`status = 'queued'`)
  }

  numbers(which: WaitingGroup, more = ''): number[] {
    return this.#store
      .all<{ n: number }>(sql`SELECT n FROM ${tables.leads} WHERE ${which.condition}${more}`, ...which.values)
      .map(({ n }) => n)
  }

  callNow(which: WaitingGroup): number[] {
    return this.numbers(which, ' AND call_now = 1')
  }

  /** How many leads of a zone are queued, and how many wait only for calling hours. */
  count(zone: string): Readonly<Record<HoursStatus, number>> {
    return this.leads.groups.of(this.campaign, zone)
  }

  /** Row numbers of all leads in these statuses, to evaluate one by one. */
  withStatus(...statuses: LeadStatus[]): number[] {
    return this.numbers(this.#which(`status IN (${statuses.map(() => '?').join(',')})`, ...statuses), ' ORDER BY n')
  }

  /** Moves due leads into the queue: ordinary leads by due time, call_now leads by arrival. Returns how many. */
  queue({ condition, values, zone }: OfZone, now: Instant): number {
    const moved = this.#update(
      `SET status = 'queued', due = scheduled_for, line_at = CASE call_now WHEN 1 THEN arrived ELSE scheduled_for END,
         scheduled_for = NULL, updated = ? WHERE ${condition}`,
      now,
      ...values,
    )
    this.leads.groups.moveGroup(this.campaign, zone, 'queued', moved)
    return moved
  }

  /** Moves leads out of the queue until `at`, because their hours close. Returns how many. */
  schedule({ condition, values, zone }: OfZone, at: Instant | null, now: Instant): number {
    const moved = this.#update(
      `SET status = 'scheduled', scheduled_for = ?, updated = ? WHERE ${condition}`,
      at,
      now,
      ...values,
    )
    this.leads.groups.moveGroup(this.campaign, zone, 'scheduled', moved)
    return moved
  }

  /** Holds the due leads of a zone instead of queuing them. Returns how many. */
  holdDueLeads(due: OfZone, reason: HeldReason, now: Instant): number {
    const held = this.#hold(due, reason, now)
    this.leads.groups.recordHeld(this.campaign, due.zone, held)
    return held
  }

  holdQueue(reason: HeldReason, now: Instant): number {
    const held = this.#hold(this.line, reason, now)
    this.leads.groups.recordHeldQueue(this.campaign)
    return held
  }

  #hold({ condition, values }: WaitingGroup, reason: HeldReason, now: Instant): number {
    return this.#update(
      `SET status = 'held', follows_hours = 0, held_reason = ?, scheduled_for = NULL, updated = ? WHERE ${condition}`,
      reason,
      now,
      ...values,
    )
  }
}
