/** One row as it stands in a file, before anybody knows what its values mean. */

/** Letters that a row may have; none that a request could carry is longer. */
export const longestRow = 1_000_000

export interface RawRow {
  /** The physical line it begins on; the first of the file is 1. */
  line: number
  values: readonly string[]
  /** Why its values cannot be trusted. */
  problem: string | undefined
}
