/** What a campaign remembers of a telephone number: failed calls in a row, and whether it gave the number up. */
import type { Store } from './store.js'

export class Numbers {
  constructor(
    readonly store: Store,
    readonly tenant: number,
  ) {}

  isRetired(campaign: number, phone: string): boolean {
    return (
      this.store.one<{ retired: number }>(
        'SELECT retired FROM numbers WHERE tenant = ? AND campaign = ? AND phone = ?',
        this.tenant,
        campaign,
        phone,
      )?.retired === 1
    )
  }

  /** One more failed call in a row; the answer is whether the number is retired by it. */
  failed(campaign: number, phone: string, retireAfter: number): boolean {
    this.store.run(
      `INSERT INTO numbers (tenant, campaign, phone, failures, retired) VALUES (?, ?, ?, 1, 0)
       ON CONFLICT (tenant, campaign, phone) DO UPDATE SET failures = failures + 1`,
      this.tenant,
      campaign,
      phone,
    )
    this.store.run(
      'UPDATE numbers SET retired = failures >= ? WHERE tenant = ? AND campaign = ? AND phone = ?',
      retireAfter,
      this.tenant,
      campaign,
      phone,
    )
    return this.isRetired(campaign, phone)
  }

  /** A call got through: the row of failures is broken. */
  reached(campaign: number, phone: string): void {
    this.store.run(
      'DELETE FROM numbers WHERE tenant = ? AND campaign = ? AND phone = ? AND retired = 0',
      this.tenant,
      campaign,
      phone,
    )
  }
}
