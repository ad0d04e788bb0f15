/** Organizations: name, time zone, rate and people. `Tenant` in world.ts reaches their leads and calls. */
import type { Mode } from './api-key.js'
import type { Store } from '../storage/store.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export type MemberRole = 'sdr' | 'closer'

/** A person in an organization who takes over calls from the AI. */
export interface Member {
  n: number
  id: string
  organization: number
  name: string
  role: MemberRole
}

export interface Organization {
  n: number
  id: string
  name: string
  time_zone: string
  rate_usd_per_minute: number
  recording: boolean
  admins: string[]
  requests_per_minute: number
}

type OrganizationRow = Omit<Organization, 'recording' | 'admins'> & { recording: number; admins: string }

const readOrganization = (row: OrganizationRow): Organization => ({
  ...row,
  recording: row.recording === 1,
  admins: JSON.parse(row.admins) as string[],
})

function writeOrganization(record: Partial<Organization>): Partial<OrganizationRow> {
  const { recording, admins, ...rest } = record
  return {
    ...rest,
    ...(recording !== undefined && { recording: Number(recording) }),
    ...(admins && { admins: JSON.stringify(admins) }),
  }
}

/**
 * The organizations and their members, shared by both modes. They are few and every step reads them, so they stay in
 * memory.
 */
export class Organizations implements Cache {
  readonly table = tables.organizations
  readonly #known = new Map<number, Organization>()
  readonly #teams = new Map<number, Member[]>()

  constructor(readonly store: Store) {
    store.register(this)
  }

  get(n: number): Organization {
    let record = this.#known.get(n)
    if (!record) {
      const row = this.store.one<OrganizationRow>(sql`SELECT * FROM ${tables.organizations} WHERE n = ?`, n)
      if (!row) throw new Error(`no organization with number ${n}`)
      this.#known.set(n, (record = readOrganization(row)))
    }
    return record
  }

  byId(id: string): Organization | null {
    const row = this.store.one<{ n: number }>(sql`SELECT n FROM ${tables.organizations} WHERE id = ?`, id)
    return row ? this.get(row.n) : null
  }

  all(): Organization[] {
    return this.store
      .all<{ n: number }>(sql`SELECT n FROM ${tables.organizations} ORDER BY n`)
      .map(({ n }) => this.get(n))
  }

  add(record: Omit<Organization, 'n'>): Organization {
    return this.get(this.store.insert(tables.organizations, writeOrganization(record)))
  }

  change(record: Organization, changes: Partial<Omit<Organization, 'n'>>): Organization {
    this.store.update(tables.organizations, record.n, writeOrganization(changes))
    this.#known.delete(record.n)
    return this.get(record.n)
  }

  listMembers(n: number): readonly Member[] {
    let team = this.#teams.get(n)
    if (!team) {
      team = this.store.all<Member>(sql`SELECT * FROM ${tables.members} WHERE organization = ? ORDER BY n`, n)
      this.#teams.set(n, team)
    }
    return team
  }

  addMember(member: Omit<Member, 'n'>): void {
    this.store.insert(tables.members, member)
    this.#teams.delete(member.organization)
  }

  invalidate(): void {
    this.#known.clear()
    this.#teams.clear()
  }
}

/** The number of the tenant for an organization and a mode. */
export const tenantNumberOf = (organization: number, mode: Mode): number => organization * 2 + (mode === 'live' ? 0 : 1)
export const organizationNumberOf = (tenant: number): number => Math.floor(tenant / 2)
