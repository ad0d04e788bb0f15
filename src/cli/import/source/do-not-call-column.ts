/** Finds rows of people who asked not to be called, in the columns with which a CRM marks them. */
import { LineList } from '../line-list.js'
import type { RawRow } from '../rows.js'

/** Headers in lower case without spaces, dashes and underscores. */
const header = /^(donot(call|phone|contact)|dnc|(phone|call|calls)?opt(ed)?out|nocalls?|unsubscribed(fromcalls)?)$/
const marked = /^(true|yes|y|1|x|checked|wahr|ja|vrai|oui|s[ií])$/i

/** A warning, or nothing. The import adds such rows: only a person knows what the mark means. */
export async function warnOfDoNotCall(columns: readonly string[], rows: AsyncIterable<RawRow>): Promise<string[]> {
  const at = columns.findIndex((column) => header.test(column.toLowerCase().replaceAll(/[\s_-]/g, '')))
  if (at < 0) return []
  const lines = new LineList()
  for await (const { line, values } of rows) if (marked.test(values[at]?.trim() ?? '')) lines.add(line)
  const { count } = lines
  if (count === 0) return []
  const rowsMarked = count === 1 ? '1 row is' : `${count.toLocaleString('en-US')} rows are`
  return [
    `Warning: ${rowsMarked} marked in the column ${columns[at]} (${lines.describe()}), which the service does not know.`,
    'It calls these people. Remove the rows, or put these numbers on the Do Not Call list: svc dnc add <phone>.',
  ]
}
