/** Counts the leads that are dialed before a lead that waits for its calling hours. */
import { callingWindowsOf } from '../../src/dialing/eligibility.js'
import type { LeadsAhead } from '../../src/dialing/explain-facts.js'
import type { Instant } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { sql, type Sql } from '../storage/sql.js'
import type { Value } from '../storage/store.js'
import { tables } from '../storage/tables.js'

/** Rows that one count reads at most. The result says when it stopped there. */
const readMost = 5_000

/**
 * Counts the leads of the campaign that calling hours move and that come before this one when its hours open, in dialing
 * order (rule D8). Leads of zones that open earlier are counted as a group, without reading their rows.
 */
export function countAheadAtOpening(tenant: Tenant, campaign: Campaign, lead: Lead, opens: Instant): LeadsAhead {
  const count = new OpeningCount(tenant, lead, opens)
  for (const { zone, queued, scheduled } of tenant.leads.groups.listByCampaign(campaign.n)) {
    const windows = callingWindowsOf(campaign, zone)
    const window = windows?.windowFrom(opens)
    const isOpenThen = !windows || (window && window[0] <= opens)
    if (!isOpenThen) continue
    if (window?.[0] === opens) count.addZone(zone)
    else if (lead.call_now === 1) count.addSooner(zone)
    else count.sooner += queued + scheduled
  }
  return count
}

const counts = `count(*) AS rows, total(status = 'scheduled' AND scheduled_for <= ?) AS sure, total(status = 'queued') AS sooner`
const inZone = 'tenant = ? AND campaign = ? AND zone = ? AND follows_hours = 1'

const ordinaryBefore = sql`SELECT ${counts} FROM (SELECT status, scheduled_for FROM ${tables.leads} INDEXED BY leads_following_hours
  WHERE ${inZone} AND arrival < ? AND call_now = 0 LIMIT ?)`
const callNow = sql`SELECT ${counts} FROM (SELECT status, scheduled_for FROM ${tables.leads} INDEXED BY leads_following_hours_at_once
  WHERE ${inZone} AND call_now = 1 LIMIT ?)`
const callNowBefore = sql`SELECT ${counts} FROM (SELECT status, scheduled_for FROM ${tables.leads} INDEXED BY leads_following_hours_at_once
  WHERE ${inZone} AND call_now = 1 AND (arrived, arrival) < (?, ?) LIMIT ?)`

class OpeningCount implements LeadsAhead {
  sure = 0
  sooner = 0
  isCut = false
  #left = readMost

  constructor(
    readonly tenant: Tenant,
    readonly lead: Lead,
    readonly opens: Instant,
  ) {}

  /** Counts leads of a zone that opens at the same moment. */
  addZone(zone: string): void {
    this.#add(this.#readCallNow(zone))
    if (this.lead.call_now === 0) this.#add(this.#read(ordinaryBefore, zone, this.lead.arrival))
  }

  /** Counts call_now leads of a zone that opens earlier, for a call_now lead. */
  addSooner(zone: string): void {
    const { sure, sooner } = this.#readCallNow(zone)
    this.sooner += sure + sooner
  }

  #add({ sure, sooner }: Pick<LeadsAhead, 'sure' | 'sooner'>): void {
    this.sure += sure
    this.sooner += sooner
  }

  /** An ordinary lead comes after every call_now lead. */
  #readCallNow(zone: string) {
    const { call_now, arrived, arrival } = this.lead
    return call_now === 0 ? this.#read(callNow, zone) : this.#read(callNowBefore, zone, arrived, arrival)
  }

  #read(query: Sql, zone: string, ...values: Value[]) {
    const { tenant, lead, opens } = this
    const found = tenant.world.store.one<{ rows: number; sure: number; sooner: number }>(
      query,
      ...[opens, tenant.n, lead.campaign, zone],
      ...values,
      this.#left,
    )
    const { rows, sure, sooner } = found ?? { rows: 0, sure: 0, sooner: 0 }
    if (rows === this.#left) this.isCut = true
    this.#left -= rows
    return { sure, sooner }
  }
}
