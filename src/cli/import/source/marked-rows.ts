/** Finds rows of people who asked not to be called, in the columns with which a CRM marks them. */
import { LineList } from '../line-list.js'
import type { RawRow } from '../rows.js'
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

/** Undefined if there are no such rows. `phone` is the column of the number, which is no mark. */
export async function findMarkedRows(
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  which: 'marked' | 'unmarked',
  phone: readonly number[],
): Promise<MarkedRows | undefined> {
  const candidates = [...columns.keys()].filter(
    (at) => !phone.includes(at) && header.test(normalizeHeader(columns[at] ?? '')),
  )
  const marks = candidates.length > 0 ? await columnsWithMarks(candidates, rows()) : []
  if (marks.length === 0) return undefined
  const isMarked = ({ values }: RawRow) => marks.some((at) => yes.test(values[at]?.trim() ?? ''))
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
    lines.add(row.line)
    if (first.length < firstMost) first.push(row)
  }
  return lines.count > 0 ? { lines, first, has } : undefined
}

/** Columns with a value that means yes or no. An empty value means no only in these. */
async function columnsWithMarks(candidates: readonly number[], rows: AsyncIterable<RawRow>): Promise<number[]> {
  const found = new Set<number>()
  for await (const { values } of rows) {
    for (const at of candidates) {
      const value = values[at]?.trim() ?? ''
      if (yes.test(value) || no.test(value)) found.add(at)
    }
    if (found.size === candidates.length) break
  }
  return candidates.filter((at) => found.has(at))
}
