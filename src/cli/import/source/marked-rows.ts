/** Finds rows of people who asked not to be called: in columns whose name is a mark, and by values that say so themselves. */
import { LineList } from '../line-list.js'
import { lineToName, type RawRow } from '../rows.js'
import { isMarkValue, mayHaveMarkValues, readFlag, senseOf, type ColumnSense } from './marks.js'
import type { Table } from './table.js'

/** Rows of a file that can be left out. */
export interface FoundRows {
  lines: LineList
  /** The first rows. */
  first: readonly RawRow[]
  has: (row: RawRow) => boolean
}

/** Rows of one kind: with a mark, or without one. */
export interface MarkedRows extends FoundRows {
  /** Names of the columns with marks, such as "the column DNC". */
  columns: string
}

const firstMost = 3

/** Undefined if there are no such rows. `others` are columns that are no marks, such as those of the number and the name. */
export async function findMarkedRows(
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  which: 'marked' | 'unmarked',
  others: readonly number[],
): Promise<MarkedRows | undefined> {
  const judge = new MarkJudge(columns, others)
  const { flagged, marking } = await judge.columnsInUse(rows())
  // A list of people to block may have values such as "Opted out" in a column of reasons, which other rows lack.
  const used = which === 'marked' ? marking : flagged.length === 0 ? [] : union(flagged, marking)
  if (used.length === 0) return undefined
  const has = (row: RawRow) => (which === 'marked' ? judge.isMarked(row) : judge.isUnmarked(row))
  const found = await findRows(rows(), has)
  return found && { ...found, columns: nameColumns(used.map((at) => columns[at] ?? '')) }
}

const union = (some: readonly number[], more: readonly number[]): number[] =>
  [...new Set([...some, ...more])].sort((a, b) => a - b)

/** "the column DNC", "the columns Lead Status and Do not call". */
function nameColumns(names: readonly string[]): string {
  if (names.length === 1) return `the column ${names[0] ?? ''}`
  return `the columns ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

/** The rows that `has` accepts. Undefined if there are none. */
export async function findRows(rows: AsyncIterable<RawRow>, has: FoundRows['has']): Promise<FoundRows | undefined> {
  const lines = new LineList()
  const first: RawRow[] = []
  for await (const row of rows) {
    if (!has(row)) continue
    lines.add(lineToName(row))
    if (first.length < firstMost) first.push(row)
  }
  return lines.count > 0 ? { lines, first, has } : undefined
}

/** Judges the rows of a file by its columns. The same judgement for a list of leads and a list of people to block. */
class MarkJudge {
  /** The columns whose name is a mark or a permission. */
  readonly #flags: readonly (readonly [at: number, sense: ColumnSense])[]
  /** The columns whose values may be a mark. */
  readonly #valued: readonly number[]

  constructor(columns: readonly string[], others: readonly number[]) {
    const possible = [...columns.keys()].filter((at) => !others.includes(at))
    this.#flags = possible.flatMap((at) => {
      const sense = senseOf(columns[at] ?? '')
      return sense === undefined ? [] : [[at, sense] as const]
    })
    this.#valued = possible.filter((at) => mayHaveMarkValues(columns[at] ?? ''))
  }

  isMarked({ values }: RawRow): boolean {
    return this.#isMarkedByFlag(values) || this.#valued.some((at) => isMarkValue(values[at] ?? ''))
  }

  #isMarkedByFlag(values: readonly string[]): boolean {
    return this.#flags.some(([at, sense]) => readFlag(sense, values[at] ?? '') === 'never')
  }

  /** True if nothing says that the person must not be called. A word that is not understood may say so. */
  isUnmarked(row: RawRow): boolean {
    const isUnclear = this.#flags.some(([at, sense]) => readFlag(sense, row.values[at] ?? '') === 'unclear')
    return !isUnclear && !this.isMarked(row)
  }

  /** Columns with a name of a mark and at least one clear value, and columns that mark a row. */
  async columnsInUse(rows: AsyncIterable<RawRow>): Promise<{ flagged: number[]; marking: number[] }> {
    const [flagged, marking] = [new Set<number>(), new Set<number>()]
    for await (const { values } of rows) {
      for (const [at, sense] of this.#flags) {
        const said = readFlag(sense, values[at] ?? '')
        if (said === 'call' || said === 'never') flagged.add(at)
        if (said === 'never') marking.add(at)
      }
      for (const at of this.#valued) if (!marking.has(at) && isMarkValue(values[at] ?? '')) marking.add(at)
    }
    const inOrder = (found: ReadonlySet<number>) => [...found].sort((a, b) => a - b)
    return { flagged: inOrder(flagged), marking: inOrder(marking) }
  }
}
