/** One organization in one mode: the only way to reach rows, so that tenants and modes never meet. */
import type { Mode } from './key.js'
import type { Member } from './member.js'
import type { Store } from './store.js'
import type { World } from './world.js'
import { Calls } from './call.js'
import type { Campaign } from './campaign.js'
import { Deliveries } from './delivery.js'
import { DncList } from './dnc.js'
import { Endpoints } from './endpoint.js'
import { Events } from './event.js'
import { Exports } from './export.js'
import { Leads } from './lead.js'
import { Numbers } from './number.js'
import { Queues } from './queue.js'
import { UsageBook } from './usage.js'

export interface OrganizationRecord {
  n: number
  id: string
  name: string
  time_zone: string
  rate_usd_per_minute: number
  recording: boolean
  admins: string[]
  requests_per_minute: number
}

type OrganizationRow = Omit<OrganizationRecord, 'recording' | 'admins'> & { recording: number; admins: string }

const read = (row: OrganizationRow): OrganizationRecord => ({
  ...row,
  recording: row.recording === 1,
  admins: JSON.parse(row.admins) as string[],
})

function write(record: Partial<OrganizationRecord>): Partial<OrganizationRow> {
  const { recording, admins, ...rest } = record
  return {
    ...rest,
    ...(recording !== undefined && { recording: Number(recording) }),
    ...(admins && { admins: JSON.stringify(admins) }),
  }
}

/** The organizations themselves and their people, whatever the mode. Few and read at each step: kept until one changes. */
export class Organizations {
  readonly #known = new Map<number, OrganizationRecord>()
  readonly #teams = new Map<number, Member[]>()

  constructor(readonly store: Store) {}

  get(n: number): OrganizationRecord {
    let record = this.#known.get(n)
    if (!record) {
      const row = this.store.one<OrganizationRow>('SELECT * FROM organizations WHERE n = ?', n)
      if (!row) throw new Error(`there is no organization number ${n}`)
      this.#known.set(n, (record = read(row)))
    }
    return record
  }

  byId(id: string): OrganizationRecord | null {
    const row = this.store.one<{ n: number }>('SELECT n FROM organizations WHERE id = ?', id)
    return row ? this.get(row.n) : null
  }

  all(): OrganizationRecord[] {
    return this.store.all<{ n: number }>('SELECT n FROM organizations ORDER BY n').map(({ n }) => this.get(n))
  }

  add(record: Omit<OrganizationRecord, 'n'>): OrganizationRecord {
    return this.get(this.store.insert('organizations', write(record)))
  }

  change(record: OrganizationRecord, changes: Partial<Omit<OrganizationRecord, 'n'>>): OrganizationRecord {
    this.store.update('organizations', record.n, write(changes))
    this.#known.delete(record.n)
    return this.get(record.n)
  }

  members(n: number): readonly Member[] {
    let team = this.#teams.get(n)
    if (!team) {
      team = this.store.all<Member>('SELECT * FROM members WHERE organization = ? ORDER BY n', n)
      this.#teams.set(n, team)
    }
    return team
  }

  addMember(member: Omit<Member, 'n'>): void {
    this.store.insert('members', member)
    this.#teams.delete(member.organization)
  }

  /** To be called when rows may have gone back: after a rollback or a restore. */
  forget(): void {
    this.#known.clear()
    this.#teams.clear()
  }
}

/** The number that stands for an organization in a mode. */
export const tenantOf = (organization: number, mode: Mode): number => organization * 2 + (mode === 'live' ? 0 : 1)
export const organizationOf = (tenant: number): number => Math.floor(tenant / 2)

export class Organization {
  readonly n: number
  readonly mode: Mode
  readonly live: boolean
  readonly leads: Leads
  readonly calls: Calls
  readonly dnc: DncList
  readonly events: Events
  readonly endpoints: Endpoints
  readonly deliveries: Deliveries
  readonly queues: Queues
  readonly numbers: Numbers
  readonly usage: UsageBook
  readonly exports: Exports

  constructor(
    readonly world: World,
    readonly tenant: number,
  ) {
    this.n = organizationOf(tenant)
    this.live = tenant % 2 === 0
    this.mode = this.live ? 'live' : 'test'
    const { store, ids } = world
    this.leads = new Leads(store, tenant, ids)
    this.calls = new Calls(store, tenant, ids)
    this.dnc = new DncList(store, tenant, ids)
    this.events = new Events(store, tenant, ids)
    this.endpoints = new Endpoints(store, tenant, ids)
    this.deliveries = new Deliveries(store, tenant, ids)
    this.queues = new Queues(store, tenant)
    this.numbers = new Numbers(store, tenant)
    this.usage = new UsageBook(store, tenant)
    this.exports = new Exports(store, tenant, ids)
  }

  /** To be called when rows may have changed otherwise: after a rollback, a restore, or a statement over many rows. */
  forget(): void {
    this.leads.forget()
    this.calls.forget()
  }

  /** What holds for both modes: name, time zone, rate, admins. */
  get record(): OrganizationRecord {
    return this.world.organizations.get(this.n)
  }

  get members(): readonly Member[] {
    return this.world.organizations.members(this.n)
  }

  campaign(n: number): Campaign {
    return this.world.campaigns.get(n)
  }

  campaignById(id: string): Campaign | null {
    return this.world.campaigns.byId(this.n, id)
  }
}
