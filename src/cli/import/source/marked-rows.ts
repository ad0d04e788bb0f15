/** Finds rows of people who asked not to be called: in columns whose name is a mark, and by values that say so themselves. */
import { LineList } from '../line-list.js'
import { lineToName, type RawRow } from '../rows.js'
import { normalizeHeader } from './combined-columns.js'
import type { Table } from './table.js'

/** Headers in lower case without spaces, dashes and underscores. */
const header = /^(donot(call|phone|contact)|dnc|(phone|call|calls)?opt(ed)?out|nocalls?|unsubscribed(fromcalls)?)$/
const yes = /^(true|yes|y|1|x|checked|wahr|ja|vrai|oui|s[ií])$/i
const no = /^(false|no|n|0|unchecked|falsch|nein|faux|non)$/i

/** Rows of a file that can be left out. */
export interface FoundRows {
  lines: LineList
  /** The first rows. */
  first: readonly RawRow[]
  has: (row: RawRow) => boolean
}

/** Rows of one kind: with a mark, or without one. */
export interface MarkedRows extends FoundRows {
  /** Names of the columns with marks. */
  columns: string
}

const firstMost = 3

/** Values in lower case without spaces and punctuation, such as a lead status of "Do Not Call". */
const markValue = /^(donot(call|phone|contact)|dont(call|phone|contact)|dnc|opt(ed)?out|unsubscribed)$/
const longestMark = 24
/** Who wants no e-mail may be called. */
const emailHeader = /e-?mail|newsletter/i

const isMarkValue = (value: string): boolean =>
  value.length <= longestMark && markValue.test(value.toLowerCase().replace(/[\s_.!'’-]/g, ''))

/** Undefined if there are no such rows. `others` are columns that are no marks, such as those of the number and the name. */
export async function findMarkedRows(
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  which: 'marked' | 'unmarked',
  others: readonly number[],
): Promise<MarkedRows | undefined> {
  const possible = [...columns.keys()].filter((at) => !others.includes(at))
  const named = possible.filter((at) => header.test(normalizeHeader(columns[at] ?? '')))
  // A list of people to block may have values such as "Opted out" in a column of reasons, which other rows lack.
  const valued = which === 'marked' ? possible.filter((at) => !emailHeader.test(columns[at] ?? '')) : []
  const marks = await columnsWithMarks(named, valued, rows())
  if (marks.length === 0) return undefined
  const isMarked = ({ values }: RawRow) =>
    marks.some((at) => {
      const value = values[at]?.trim() ?? ''
      return (named.includes(at) && yes.test(value)) || (valued.includes(at) && isMarkValue(value))
    })
  const isUnmarked = ({ values }: RawRow) =>
    marks.every((at) => (values[at] ?? '').trim() === '' || no.test((values[at] ?? '').trim()))
  const has = which === 'marked' ? isMarked : isUnmarked
  const found = await findRows(rows(), has)
  return found && { ...found, columns: marks.map((at) => columns[at]).join(' and ') }
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

/** Columns with a value that means yes or no, if their name is a mark, and those with a value that says so itself. */
async function columnsWithMarks(
  named: readonly number[],
  valued: readonly number[],
  rows: AsyncIterable<RawRow>,
): Promise<number[]> {
  const all = [...new Set([...named, ...valued])].sort((a, b) => a - b)
  const found = new Set<number>()
  if (all.length === 0) return []
  for await (const { values } of rows) {
    for (const at of named) {
      const value = values[at]?.trim() ?? ''
      if (yes.test(value) || no.test(value)) found.add(at)
    }
    for (const at of valued) if (!found.has(at) && isMarkValue(values[at] ?? '')) found.add(at)
    if (found.size === all.length) break
  }
  return all.filter((at) => found.has(at))
}
