/** The Do Not Call list of one tenant (rule N1). */
import type { IdsOfKind } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'
import type { Store } from '../storage/store.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export type DncSource = 'api' | 'ai' | 'outcome' | 'manual' | 'bulk' | 'sms'

export interface DncEntry {
  n: number
  tenant: number
  phone: string
  source: DncSource
  created: Instant
}

export class DncList {
  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
  ) {}

  id(n: number): string {
    return this.ids.uuid(n)
  }

  number(id: string): number | null {
    return this.ids.number(id)
  }

  byId(id: string): DncEntry | null {
    const n = this.number(id)
    return n === null
      ? null
      : (this.store.one<DncEntry>(sql`SELECT * FROM ${tables.dnc} WHERE n = ? AND tenant = ?`, n, this.tenant) ?? null)
  }

  has(phone: string): boolean {
    return (
      this.store.one(sql`SELECT 1 FROM ${tables.dnc} WHERE tenant = ? AND phone = ?`, this.tenant, phone) !== undefined
    )
  }

  /** The entry of this number, or null. */
  withPhone(phone: string): DncEntry | null {
    const query = sql`SELECT * FROM ${tables.dnc} WHERE tenant = ? AND phone = ?`
    return this.store.one<DncEntry>(query, this.tenant, phone) ?? null
  }

  add(phone: string, source: DncSource, created: Instant): DncEntry {
    const row = { tenant: this.tenant, phone, source, created }
    return { n: this.store.insert(tables.dnc, row), ...row }
  }

  remove(entry: DncEntry): void {
    this.store.run(sql`DELETE FROM ${tables.dnc} WHERE n = ?`, entry.n)
  }

  /** Newest first. `search` matches part of a phone number. */
  page(search: string | undefined, before: number | null, limit: number): DncEntry[] {
    return this.store.all<DncEntry>(
      sql`SELECT * FROM ${tables.dnc} WHERE tenant = ? AND n < ? AND instr(phone, ?) > 0 ORDER BY n DESC LIMIT ?`,
      this.tenant,
      before ?? Number.MAX_SAFE_INTEGER,
      search ?? '',
      limit,
    )
  }
}
