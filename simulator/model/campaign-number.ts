/** What a campaign remembers of a telephone number: failed calls in a row, and whether it gave the number up. */
import type { Store } from '../storage/store.js'

/** So many of each campaign are kept in memory: a number is asked about before its call and after it. */
const cacheCapacity = 4_096

export class CampaignNumbers {
  /** By campaign, whether a number is retired; null: nothing is remembered of it. */
  readonly #known = new Map<number, Map<string, boolean | null>>()

  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {}

  isRetired(campaign: number, phone: string): boolean {
    return this.#remembered(campaign, phone) === true
  }

  #remembered(campaign: number, phone: string): boolean | null {
    const known = this.#known.get(campaign)?.get(phone)
    if (known !== undefined) return known
    const row = this.store.one<{ retired: number }>(
      'SELECT retired FROM numbers WHERE tenant = ? AND campaign = ? AND phone = ?',
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

  /** One more failed call in a row; the answer is whether the number is retired by it. */
  recordFailure(campaign: number, phone: string, retireAfter: number): boolean {
    const row = this.store.one<{ retired: number }>(
      `INSERT INTO numbers (tenant, campaign, phone, failures, retired) VALUES (?, ?, ?, 1, 1 >= ?)
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

  /** A call got through: the row of failures is broken. */
  recordAnswer(campaign: number, phone: string): void {
    if (this.#remembered(campaign, phone) !== false) return
    this.store.run('DELETE FROM numbers WHERE tenant = ? AND campaign = ? AND phone = ?', this.tenant, campaign, phone)
    this.#keep(campaign, phone, null)
  }

  /** To be called when rows may have gone back or been replaced. */
  invalidate(): void {
    this.#known.clear()
  }
}
