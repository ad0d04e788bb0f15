/** An API key: whose it is, what it may do, where, how fast, and until when. */
import type { Permission } from '../../src/contract/permissions.js'
import type { Instant } from '../kernel/instant.js'
import type { Store } from '../storage/store.js'

export type Mode = 'live' | 'test'
export const modes: readonly Mode[] = ['live', 'test']

export interface KeyLimits {
  concurrent_requests: number
  requests_per_minute: number
  burst: number
  leads_per_minute: number
}

export interface Key {
  n: number
  key_id: string
  secret: string
  organization: number
  mode: Mode
  name: string
  permissions: Permission[]
  /** Campaign ids it is limited to; null: every campaign. */
  campaign_ids: string[] | null
  status: 'active' | 'revoked' | 'disabled'
  expires_at: Instant | null
  limits: KeyLimits
}

type KeyRow = Omit<Key, 'permissions' | 'campaign_ids' | 'limits'> & {
  permissions: string
  campaign_ids: string | null
  limits: string
}

const read = (row: KeyRow): Key => ({
  ...row,
  permissions: JSON.parse(row.permissions) as Permission[],
  campaign_ids: row.campaign_ids === null ? null : (JSON.parse(row.campaign_ids) as string[]),
  limits: JSON.parse(row.limits) as KeyLimits,
})

function write(key: Partial<Key>): Partial<KeyRow> {
  const { permissions, campaign_ids, limits, ...rest } = key
  return {
    ...rest,
    ...(permissions && { permissions: JSON.stringify(permissions) }),
    ...(campaign_ids !== undefined && { campaign_ids: campaign_ids && JSON.stringify(campaign_ids) }),
    ...(limits && { limits: JSON.stringify(limits) }),
  }
}

/** The keys of every organization. They are asked for with each request, so those found are kept until one changes. */
export class Keys {
  readonly #found = new Map<string, Key>()

  constructor(readonly store: Store) {}

  byId(keyId: string): Key | null {
    return this.#find('key_id', keyId)
  }

  bySecret(secret: string): Key | null {
    return this.#find('secret', secret)
  }

  #find(column: 'key_id' | 'secret', value: string): Key | null {
    const found = this.#found.get(`${column} ${value}`)
    if (found) return found
    const row = this.store.one<KeyRow>(`SELECT * FROM keys WHERE ${column} = ?`, value)
    if (!row) return null
    const key = read(row)
    this.#found.set(`${column} ${value}`, key)
    return key
  }

  /** To be called when rows may have gone back: after a rollback or a restore. */
  forget(): void {
    this.#found.clear()
  }

  of(organization: number): Key[] {
    return this.store.all<KeyRow>('SELECT * FROM keys WHERE organization = ? ORDER BY n', organization).map(read)
  }

  count(): number {
    return this.store.one<{ n: number }>('SELECT count(*) AS n FROM keys')?.n ?? 0
  }

  add(key: Omit<Key, 'n'>): Key {
    return { n: this.store.insert('keys', write(key)), ...key }
  }

  change(key: Key, changes: Partial<Omit<Key, 'n'>>): void {
    this.store.update('keys', key.n, write(changes))
    Object.assign(key, changes)
    this.forget()
  }
}
