/**
 * Counts the API requests of each key in memory and writes them with the next transaction, so that a read writes
 * nothing.
 */
import type { Instant } from '../kernel/instant.js'
import { StoreError } from '../storage/store-error.js'
import type { Store } from '../storage/store.js'
import { slotOf, type UsageCounts } from './usage.js'

interface Count {
  tenant: number
  key: number
  slot: Instant
  requests: number
}

/** A crash loses the counts since the last transaction. A normal shutdown writes them first. */
export class RequestCounts {
  readonly #counts = new Map<string, Count>()

  constructor(
    readonly store: Store,
    readonly usageOf: (tenant: number) => UsageCounts,
  ) {}

  add(tenant: number, key: number, at: Instant): void {
    const slot = slotOf(at)
    const count = this.#counts.get(`${key} ${slot}`)
    if (count) count.requests++
    else this.#counts.set(`${key} ${slot}`, { tenant, key, slot, requests: 1 })
  }

  /** Writes the counts. Call it last in a transaction, then call `clearFlushed` after the commit. */
  flush(): void {
    if (this.#counts.size === 0) return
    for (const { tenant, key, slot, requests } of this.#counts.values()) {
      this.usageOf(tenant).count(slot, { key, campaign: null }, { requests })
    }
  }

  /** Writes the counts in a separate transaction. If the disk fails, they stay for the next one. */
  save(): void {
    try {
      this.store.transaction(() => this.flush())
      this.clearFlushed()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }

  clearFlushed(): void {
    this.#counts.clear()
  }
}
