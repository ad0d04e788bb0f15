/** Organizations as the account knows them: name, time zone, rate, people. Their data is reached through `Organization` in world.ts. */
import type { Mode } from './api-key.js'
import type { Member } from './member.js'
import type { Store } from '../storage/store.js'

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

/** The organizations themselves and their people, whatever the mode. Few and read at each step: kept until one changes. */
export class Organizations {
  readonly #known = new Map<number, Organization>()
  readonly #teams = new Map<number, Member[]>()

  constructor(readonly store: Store) {}

  get(n: number): Organization {
    let record = this.#known.get(n)
    if (!record) {
      const row = this.store.one<OrganizationRow>('SELECT * FROM organizations WHERE n = ?', n)
      if (!row) throw new Error(`there is no organization number ${n}`)
      this.#known.set(n, (record = readOrganization(row)))
    }
    return record
  }

  byId(id: string): Organization | null {
    const row = this.store.one<{ n: number }>('SELECT n FROM organizations WHERE id = ?', id)
    return row ? this.get(row.n) : null
  }

  all(): Organization[] {
    return this.store.all<{ n: number }>('SELECT n FROM organizations ORDER BY n').map(({ n }) => this.get(n))
  }

  add(record: Omit<Organization, 'n'>): Organization {
    return this.get(this.store.insert('organizations', writeOrganization(record)))
  }

  change(record: Organization, changes: Partial<Omit<Organization, 'n'>>): Organization {
    this.store.update('organizations', record.n, writeOrganization(changes))
    this.#known.delete(record.n)
    return this.get(record.n)
  }

  listMembers(n: number): readonly Member[] {
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
  invalidate(): void {
    this.#known.clear()
    this.#teams.clear()
  }
}

/** The number that stands for an organization in a mode. */
export const tenantNumberOf = (organization: number, mode: Mode): number => organization * 2 + (mode === 'live' ? 0 : 1)
export const organizationNumberOf = (tenant: number): number => Math.floor(tenant / 2)
