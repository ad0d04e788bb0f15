/** Phone numbers per campaign: failed calls in a row, and whether the campaign retired the number (rule D14). */
import type { Store } from '../storage/store.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

/** Cache capacity per campaign. The dialer looks a number up before its call and after it. */
const cacheCapacity = 4_096

export class CampaignNumbers implements Cache {
  readonly table = tables.numbers
  /** By campaign, whether a number is retired; null when the store has no row for it. */
  readonly #known = new Map<number, Map<string, boolean | null>>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {
    store.register(this)
  }

  isRetired(campaign: number, phone: string): boolean {
    return this.#remembered(campaign, phone) === true
  }

  #remembered(campaign: number, phone: string): boolean | null {
    const known = this.#known.get(campaign)?.get(phone)
    if (known !== undefined) return known
    const row = this.store.one<{ retired: number }>(
      sql`SELECT retired FROM ${tables.numbers} WHERE tenant = ? AND campaign = ? AND phone = ?`,
      this.tenant,
      campaign,
      phone,
    )
    return this.#keep(campaign, phone, row ? row.retired === 1 : null)
  }

  #keep(campaign: number, phone: string, retired: boolean | null): boolean | null {
    let known = this.#known.get(campaign)
    if (!known || known.size >= cacheCapacity) this.#known.set(campaign, (known = new Map<string, boolean | null>()))
    known.set(phone, retired)
    return retired
  }

  /** Counts one more failed call in a row. Returns whether the number is now retired. */
  recordFailure(campaign: number, phone: string, retireAfter: number): boolean {
    const row = this.store.one<{ retired: number }>(
      sql`INSERT INTO ${tables.numbers} (tenant, campaign, phone, failures, retired) VALUES (?, ?, ?, 1, 1 >= ?)
       ON CONFLICT (tenant, campaign, phone) DO UPDATE SET failures = failures + 1, retired = failures + 1 >= ?
       RETURNING retired`,
      this.tenant,
      campaign,
      phone,
      retireAfter,
      retireAfter,
    )
    return this.#keep(campaign, phone, row?.retired === 1) === true
  }

  /** Resets the count of failures, because a call got through. */
  recordAnswer(campaign: number, phone: string): void {
    if (this.#remembered(campaign, phone) !== false) return
    this.store.run(
      sql`DELETE FROM ${tables.numbers} WHERE tenant = ? AND campaign = ? AND phone = ?`,
      this.tenant,
      campaign,
      phone,
    )
    this.#keep(campaign, phone, null)
  }

  invalidate(): void {
    this.#known.clear()
  }
}
