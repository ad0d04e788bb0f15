/** Finds rows of people who asked not to be called: in columns whose name is a mark, and by values that say so themselves. */
import { unescapeFormula } from '../../../csv/formula.js'
import { parsePhone } from '../../../phone/number.js'
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

/** Rows of people with a mark, or of those without one. */
export interface MarkedRows extends FoundRows {
  /** Names of the columns with marks, such as "the column DNC". */
  columns: string
  /** The rows with a mark of their own, and the other rows with a number of a marked person. */
  own: FoundRows
  sharing: FoundRows | undefined
  /** The line of the marked person that the row has a number of. */
  markedLineOf: (row: RawRow) => number | undefined
}

export interface MarkSearch {
  which: 'marked' | 'unmarked'
  /** Columns that are no marks, such as those of the number and the name. */
  others: readonly number[]
  /** Columns with phone numbers. Every row with a number of a marked person is about that person. */
  phones: readonly number[]
}

const firstMost = 3

/** Undefined if there are no such rows. */
export async function findMarkedRows(
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  { which, others, phones }: MarkSearch,
): Promise<MarkedRows | undefined> {
  const judge = new MarkJudge(columns, others)
  const { flagged, marking } = await judge.columnsInUse(rows())
  // A list of people to block may have values such as "Opted out" in a column of reasons, which other rows lack.
  const used = which === 'marked' ? marking : flagged.length === 0 ? [] : union(flagged, marking)
  if (used.length === 0) return undefined
  const numbers = await numbersOfMarked(rows(), judge, phones)
  const markedLineOf = (row: RawRow) => lineOfNumber(row, phones, numbers)
  const names = nameColumns(used.map((at) => columns[at] ?? ''))
  if (which === 'unmarked') {
    const own = await findRows(rows(), (row) => judge.isUnmarked(row) && markedLineOf(row) === undefined)
    return own && { ...own, columns: names, own, sharing: undefined, markedLineOf }
  }
  const own = await findRows(rows(), (row) => judge.isMarked(row))
  const sharing = await findRows(rows(), (row) => !judge.isMarked(row) && markedLineOf(row) !== undefined)
  const all = await findRows(rows(), (row) => judge.isMarked(row) || markedLineOf(row) !== undefined)
  return own && all && { ...all, columns: names, own, sharing, markedLineOf }
}

/** The numbers of marked people as digits, each with the first line. All of them, because none of these people may be called. */
async function numbersOfMarked(rows: AsyncIterable<RawRow>, judge: MarkJudge, phones: readonly number[]) {
  const lines = new Map<number, number>()
  for await (const row of rows)
    if (judge.isMarked(row))
      for (const number of numbersIn(row, phones)) if (!lines.has(number)) lines.set(number, lineToName(row))
  return lines
}

function lineOfNumber(row: RawRow, phones: readonly number[], lines: ReadonlyMap<number, number>): number | undefined {
  for (const number of numbersIn(row, phones)) if (lines.has(number)) return lines.get(number)
  return undefined
}

function* numbersIn({ values }: RawRow, phones: readonly number[]): Generator<number> {
  for (const at of phones)
    // Google Contacts separates the numbers of one column like this.
    for (const text of unescapeFormula((values[at] ?? '').trim()).split(' ::: ')) {
      const number = parsePhone(text)
      if (number.kind !== 'invalid') yield Number(number.e164.slice(1))
    }
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
