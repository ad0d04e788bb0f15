/** Exports: files made on request, with the data of that moment. Only the tenant reaches its own. */
import type { ExportType } from '../../src/contract/exports.js'
import type { IdsOfKind } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'
import type { Store } from '../storage/store.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export interface Export {
  n: number
  tenant: number
  type: ExportType
  rows: number
  created: Instant
  expires: Instant
}

export class Exports {
  constructor(
    readonly store: Store,
    readonly tenant: number,
    readonly ids: IdsOfKind,
  ) {}

  id(n: number): string {
    return this.ids.uuid(n)
  }

  /** Stores an export. `file` is compressed. */
  add(row: Omit<Export, 'n' | 'tenant'>, file: Buffer): Export {
    const { tenant } = this
    return { n: this.store.insert(tables.exports, { tenant, ...row, file }), tenant, ...row }
  }

  /** Newest first. */
  all(): Export[] {
    const query = sql`SELECT n, tenant, type, rows, created, expires FROM ${tables.exports} WHERE tenant = ? ORDER BY n DESC`
    return this.store.all<Export>(query, this.tenant)
  }

  /** The compressed file; null when the export does not exist or its file was deleted. */
  file(id: string): Buffer | null {
    const n = this.ids.number(id)
    if (n === null) return null
    return (
      this.store.one<{ file: Buffer | null }>(
        sql`SELECT file FROM ${tables.exports} WHERE n = ? AND tenant = ?`,
        n,
        this.tenant,
      )?.file ?? null
    )
  }
}
