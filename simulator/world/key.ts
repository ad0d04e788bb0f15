/** An API key: whose it is, what it may do, where, how fast, and until when. */
import type { Permission } from '../../src/contract/permissions.js'
import type { Instant } from '../kernel/instant.js'
import type { Store } from './store.js'

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

type KeyRow = Omit<Key, 'permissions' | 'campaign_ids' | 'limits'> & { permissions: string; campaign_ids: string | null; limits: string }

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

export class Keys {
  constructor(readonly store: Store) {}

  byId(keyId: string): Key | null {
    const row = this.store.one<KeyRow>('SELECT * FROM keys WHERE key_id = ?', keyId)
    return row ? read(row) : null
  }

  bySecret(secret: string): Key | null {
    const row = this.store.one<KeyRow>('SELECT * FROM keys WHERE secret = ?', secret)
    return row ? read(row) : null
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
  }
}
