/** The registry of everything that a store's users keep in memory, by table. */
import type { Table } from './tables.js'

/** Rows or counts of one table, in memory. */
export interface Cache {
  readonly table: Table
  /** Writes the changes that are not written yet. Required of caches that call `markDirty`. */
  flush?(): void
  /** Drops everything, unwritten changes included, because rows were rolled back or replaced. */
  invalidate(): void
}

export class Caches {
  readonly #all = new Map<Table, Cache[]>()
  readonly #dirty = new Map<Table, Set<Cache>>()

  /** Adds a cache, for as long as the store is open. */
  register(cache: Cache): void {
    const registered = this.#all.get(cache.table)
    if (registered) registered.push(cache)
    else this.#all.set(cache.table, [cache])
  }

  /** Records that a cache has unwritten changes. */
  markDirty(cache: Cache): void {
    const dirty = this.#dirty.get(cache.table)
    if (dirty) dirty.add(cache)
    else this.#dirty.set(cache.table, new Set([cache]))
  }

  flush(table: Table): void {
    const dirty = this.#dirty.get(table)
    if (!dirty) return
    this.#dirty.delete(table)
    for (const cache of dirty) cache.flush?.()
  }

  flushAll(): void {
    for (const table of this.#dirty.keys()) this.flush(table)
  }

  invalidate(table: Table): void {
    this.#dirty.delete(table)
    for (const cache of this.#all.get(table) ?? []) cache.invalidate()
  }

  invalidateAll(): void {
    for (const table of this.#all.keys()) this.invalidate(table)
    this.#dirty.clear()
  }
}
