/** Call scripts of one tenant: what happens on the next calls to a number. The simulated carrier plays them. */
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Store } from '../storage/store.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export class CallScripts implements Cache {
  readonly table = tables.scripts
  /** The numbers that have a script. Every call asks, and most numbers have none. */
  #numbers: Set<string> | null = null

  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {
    store.register(this)
  }

  /** Sets or replaces the script of a number. */
  set(phone: string, calls: readonly ScriptedCall[]): void {
    this.#numbers = null
    const query = sql`INSERT OR REPLACE INTO ${tables.scripts} (tenant, phone, calls, played) VALUES (?, ?, ?, 0)`
    this.store.run(query, this.tenant, phone, JSON.stringify(calls))
  }

  /** Removes the script of a number, or every script. Returns how many were removed. */
  remove(phone?: string): number {
    this.#numbers = null
    if (phone === undefined) return this.store.run(sql`DELETE FROM ${tables.scripts} WHERE tenant = ?`, this.tenant)
    return this.store.run(sql`DELETE FROM ${tables.scripts} WHERE tenant = ? AND phone = ?`, this.tenant, phone)
  }

  /** What the next call to a number does, or null without a script. The last call of a script repeats. */
  next(phone: string): ScriptedCall | null {
    if (!this.#all().has(phone)) return null
    const set = this.store.one<{ calls: string; played: number }>(
      sql`SELECT calls, played FROM ${tables.scripts} WHERE tenant = ? AND phone = ?`,
      this.tenant,
      phone,
    )
    if (!set) return null
    this.store.run(
      sql`UPDATE ${tables.scripts} SET played = played + 1 WHERE tenant = ? AND phone = ?`,
      this.tenant,
      phone,
    )
    const calls = JSON.parse(set.calls) as ScriptedCall[]
    return calls[Math.min(set.played, calls.length - 1)] ?? null
  }

  #all(): Set<string> {
    this.#numbers ??= new Set(
      this.store
        .all<{ phone: string }>(sql`SELECT phone FROM ${tables.scripts} WHERE tenant = ?`, this.tenant)
        .map(({ phone }) => phone),
    )
    return this.#numbers
  }

  invalidate(): void {
    this.#numbers = null
  }
}
