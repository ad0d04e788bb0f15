/** Preview of the first rows, as they will be sent. */
import { fieldText } from '../../output/columns.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { renderTable } from '../../output/table.js'
import type { LeadInput } from './lead-target.js'
import type { RawRow } from './rows.js'

export interface Look {
  width: number
  colour: boolean
}

const shown = 5

/** Renders a table with one row per lead. */
export async function previewOf(
  rows: AsyncIterable<RawRow>,
  make: (row: RawRow) => LeadInput,
  look: Look,
): Promise<string> {
  const leads: Record<string, unknown>[] = []
  for await (const row of rows) {
    if (row.problem === undefined) leads.push(flattenPreview(make(row)))
    if (leads.length === shown) break
  }
  const columns = [...new Set(leads.flatMap((lead) => Object.keys(lead)))]
  const { Chalk } = await import('chalk')
  const { bold } = new Chalk({ level: look.colour ? 1 : 0 })
  // Shows times unchanged, as they will be sent.
  const cells = leads.map((lead) => columns.map((column) => ({ text: stripControlsFromLine(fieldText(lead[column])) })))
  return renderTable(columns, cells, { width: look.width, header: true, bold })
}

function flattenPreview(lead: LeadInput): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(lead).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, part]) => [`${name}.${inner}`, part])
        : [[name, value]],
    ),
  )
}
