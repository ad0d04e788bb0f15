/** Rows that were read already: one object per row, so that a row changed in one place is changed in all. */

/** More are not kept: what is asked for again is asked for soon. */
const most = 4_096

export class Known<T extends { n: number }> {
  readonly #rows = new Map<number, T>()

  get(n: number): T | undefined {
    return this.#rows.get(n)
  }

  /** The one object of a row that was just read or written. */
  keep(row: T): T {
    const known = this.#rows.get(row.n)
    if (known) return known
    if (this.#rows.size >= most) this.#rows.clear()
    this.#rows.set(row.n, row)
    return row
  }

  /** To be called when rows may have changed otherwise: after a rollback, a restore, or a statement over many rows. */
  forget(): void {
    this.#rows.clear()
  }
}
