/** One row of a file, before its values are interpreted. */

/** Maximum characters in a row. A longer row does not fit into a request. */
export const longestRow = 1_000_000

export interface RawRow {
  /** Line number of its start, from 1. */
  line: number
  values: readonly string[]
  /** Why its values are unreliable. */
  problem: string | undefined
}
