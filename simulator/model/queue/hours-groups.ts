/**
 * Counts queued and scheduled leads per campaign and time zone, for leads that only calling hours move.
 * An index on status would be rewritten for the whole group twice a day, so lists of a status read the groups that have
 * leads in it.
 */
import type { Store } from '../../storage/store.js'
import type { Cache } from '../../storage/caches.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

/** The statuses between which calling hours move a lead. */
export type HoursStatus = 'queued' | 'scheduled'

export const isHoursStatus = (status: string): status is HoursStatus => status === 'queued' || status === 'scheduled'

export interface HoursGroup {
  readonly campaign: number
  readonly zone: string
  queued: number
  scheduled: number
}

/** The fields that decide whether a lead counts, before or after a change. */
interface Member {
  campaign: number
  zone: string
  status: string
  follows_hours: 0 | 1
}

export class HoursGroups implements Cache {
  readonly table = tables.hours_groups
  /** By campaign, then by zone; null until they are read. */
  #known: Map<number, Map<string, HoursGroup>> | null = null
  readonly #changed = new Set<HoursGroup>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {
    store.register(this)
  }

  /** The groups of every campaign with at least one lead in this status. */
  forCampaign(status: HoursStatus): HoursGroup[] {
    return [...this.#read().values()].flatMap((zones) => [...zones.values()].filter((group) => group[status] > 0))
  }

  /** The groups of one campaign. */
  listByCampaign(campaign: number): Readonly<HoursGroup>[] {
    return [...(this.#read().get(campaign)?.values() ?? [])]
  }

  of(campaign: number, zone: string): Readonly<HoursGroup> {
    return this.#read().get(campaign)?.get(zone) ?? { campaign, zone, queued: 0, scheduled: 0 }
  }

  count({ campaign, zone, status, follows_hours }: Member, by: 1 | -1): void {
    if (follows_hours === 1 && isHoursStatus(status)) this.#add(this.#group(campaign, zone), status, by)
  }

  /** Records that calling hours moved this number of leads. */
  moveGroup(campaign: number, zone: string, to: HoursStatus, many: number): void {
    const group = this.#group(campaign, zone)
    this.#add(group, to, many)
    this.#add(group, to === 'queued' ? 'scheduled' : 'queued', -many)
  }

  /** Records that this number of due leads was held instead of queued. */
  recordHeld(campaign: number, zone: string, many: number): void {
    this.#add(this.#group(campaign, zone), 'scheduled', -many)
  }

  /** Records that every queued lead of a campaign was held. */
  recordHeldQueue(campaign: number): void {
    for (const group of this.#read().get(campaign)?.values() ?? []) this.#add(group, 'queued', -group.queued)
  }

  #add(group: HoursGroup, status: HoursStatus, by: number): void {
    if (by === 0) return
    group[status] += by
    this.#changed.add(group)
    this.store.markDirty(this)
  }

  #group(campaign: number, zone: string): HoursGroup {
    const known = this.#read()
    let zones = known.get(campaign)
    if (!zones) known.set(campaign, (zones = new Map<string, HoursGroup>()))
    let group = zones.get(zone)
    if (!group) zones.set(zone, (group = { campaign, zone, queued: 0, scheduled: 0 }))
    return group
  }

  #read(): Map<number, Map<string, HoursGroup>> {
    if (this.#known) return this.#known
    const query = sql`SELECT campaign, zone, queued, scheduled FROM ${tables.hours_groups} WHERE tenant = ?`
    const stored = this.store.stored<HoursGroup>(query, this.tenant)
    this.#known = new Map()
    for (const { campaign, zone, queued, scheduled } of stored)
      Object.assign(this.#group(campaign, zone), { queued, scheduled })
    return this.#known
  }

  flush(): void {
    for (const { campaign, zone, queued, scheduled } of this.#changed) {
      this.store.run(
        sql`INSERT OR REPLACE INTO ${tables.hours_groups} (tenant, campaign, zone, queued, scheduled) VALUES (?, ?, ?, ?, ?)`,
        this.tenant,
        campaign,
        zone,
        queued,
        scheduled,
      )
    }
    this.#changed.clear()
  }

  invalidate(): void {
    this.#known = null
    this.#changed.clear()
  }
}
