/** API keys: owner, mode, permissions, campaigns, rate limits and expiry. */
import type { Permission } from '../../src/contract/permissions.js'
import type { Instant } from '../kernel/instant.js'
import type { Store } from '../storage/store.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export type Mode = 'live' | 'test'
export const modes: readonly Mode[] = ['live', 'test']

export interface KeyLimits {
  concurrent_requests: number
  requests_per_minute: number
  burst: number
  leads_per_minute: number
}

export interface ApiKey {
  n: number
  key_id: string
  secret: string
  organization: number
  mode: Mode
  name: string
  permissions: Permission[]
  /** Ids of the campaigns the key is limited to; null means every campaign (rule K4). */
  campaign_ids: string[] | null
  status: 'active' | 'revoked' | 'disabled'
  expires_at: Instant | null
  limits: KeyLimits
}

type ApiKeyRow = Omit<ApiKey, 'permissions' | 'campaign_ids' | 'limits'> & {
  permissions: string
  campaign_ids: string | null
  limits: string
}

const readApiKey = (row: ApiKeyRow): ApiKey => ({
  ...row,
  permissions: JSON.parse(row.permissions) as Permission[],
  campaign_ids: row.campaign_ids === null ? null : (JSON.parse(row.campaign_ids) as string[]),
  limits: JSON.parse(row.limits) as KeyLimits,
})

function writeApiKey(key: Partial<ApiKey>): Partial<ApiKeyRow> {
  const { permissions, campaign_ids, limits, ...rest } = key
  return {
    ...rest,
    ...(permissions && { permissions: JSON.stringify(permissions) }),
    ...(campaign_ids !== undefined && { campaign_ids: campaign_ids && JSON.stringify(campaign_ids) }),
    ...(limits && { limits: JSON.stringify(limits) }),
  }
}

/** The keys of every organization. Each request looks up its key, so found keys stay in memory until one changes. */
export class ApiKeys implements Cache {
  readonly table = tables.keys
  readonly #found = new Map<string, ApiKey>()

  constructor(readonly store: Store) {
    store.register(this)
  }

  byId(keyId: string): ApiKey | null {
    return this.#find('key_id', keyId)
  }

  bySecret(secret: string): ApiKey | null {
    return this.#find('secret', secret)
  }

  #find(column: 'key_id' | 'secret', value: string): ApiKey | null {
    const found = this.#found.get(`${column} ${value}`)
    if (found) return found
    const row = this.store.one<ApiKeyRow>(sql`SELECT * FROM ${tables.keys} WHERE ${column} = ?`, value)
    if (!row) return null
    const key = readApiKey(row)
    this.#found.set(`${column} ${value}`, key)
    return key
  }

  invalidate(): void {
    this.#found.clear()
  }

  listByOrganization(organization: number): ApiKey[] {
    return this.store
      .all<ApiKeyRow>(sql`SELECT * FROM ${tables.keys} WHERE organization = ? ORDER BY n`, organization)
      .map(readApiKey)
  }

  count(): number {
    return this.store.one<{ n: number }>(sql`SELECT count(*) AS n FROM ${tables.keys}`)?.n ?? 0
  }

  add(key: Omit<ApiKey, 'n'>): ApiKey {
    return { n: this.store.insert(tables.keys, writeApiKey(key)), ...key }
  }

  change(key: ApiKey, changes: Partial<Omit<ApiKey, 'n'>>): void {
    this.store.update(tables.keys, key.n, writeApiKey(changes))
    Object.assign(key, changes)
    this.invalidate()
  }
}
