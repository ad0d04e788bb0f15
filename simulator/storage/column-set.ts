/** A set of columns of a table, in the order they were named: each set is made once, and with it the statement that writes it. */
export class ColumnSet<T> {
  readonly #further = new Map<keyof T & string, ColumnSet<T>>()
  /** Writes these columns of the row whose number comes last. */
  readonly update: string

  constructor(
    readonly table: string,
    readonly names: readonly (keyof T & string)[] = [],
  ) {
    this.update = `UPDATE ${table} SET ${names.join('=?,')}=? WHERE n=?`
  }

  /** The same with one more. */
  with(name: keyof T & string): ColumnSet<T> {
    if (this.names.includes(name)) return this
    let further = this.#further.get(name)
    if (!further) this.#further.set(name, (further = new ColumnSet(this.table, [...this.names, name])))
    return further
  }
}
