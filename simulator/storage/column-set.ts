/** A set of columns of a table, in the order they were added. Each set exists once, with its UPDATE statement. */
export class ColumnSet<T> {
  readonly #further = new Map<keyof T & string, ColumnSet<T>>()
  /** Updates these columns. The row number is the last parameter. */
  readonly update: string

  constructor(
    readonly table: string,
    readonly names: readonly (keyof T & string)[] = [],
  ) {
    this.update = `UPDATE ${table} SET ${names.join('=?,')}=? WHERE n=?`
  }

  /** The set with one more column. */
  with(name: keyof T & string): ColumnSet<T> {
    if (this.names.includes(name)) return this
    let further = this.#further.get(name)
    if (!further) this.#further.set(name, (further = new ColumnSet(this.table, [...this.names, name])))
    return further
  }
}
