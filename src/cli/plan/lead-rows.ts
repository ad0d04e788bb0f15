/** Reads the leads of a file as an import does: the same columns, and the same rows that it could not read. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IO } from '../../config/environment.js'
import type { PlannedLead } from '../../plan/planned-world.js'
import { leadFields, leadOf, type LeadInput } from '../import/lead-target.js'
import { columnsOf } from '../import/source/combined-columns.js'
import { listIgnored, matchColumns } from '../import/source/columns.js'
import { withSource } from '../import/source/source.js'
import { missingValue } from '../import/target.js'
import type { LeaveOutMarked } from './marked-leads.js'

export interface LeadRows {
  leads: PlannedLead[]
  /** The line of each lead, in the same order. */
  lines: number[]
  /** Rows that cannot be read, with what is wrong. */
  unreadable: { line: number; problem: string }[]
  withoutConsent: number
  /** What the reader says about the file. */
  notices: string[]
}

export interface LeadFile {
  file: string
  map: readonly string[]
  sheet: string | undefined
  now: number
  /** Undefined only to check the file. */
  leaveOut?: LeaveOutMarked | undefined
}

/** Throws `UsageError` if the file cannot be read, or has no phone column. */
export async function readLeadRows(
  { file, map, sheet, now, leaveOut }: LeadFile,
  io: Pick<IO, 'stdin'>,
): Promise<LeadRows> {
  const found: LeadRows = { leads: [], lines: [], unreadable: [], withoutConsent: 0, notices: [] }
  // The reader copies the file first. A plan leaves no copy behind.
  const folder = mkdtempSync(join(tmpdir(), 'svc-plan-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // Ctrl-C may end the program while it waits for standard input.
  process.once('exit', remove)
  try {
    await withSource(
      file,
      { stdin: io.stdin, dataFolder: folder },
      { nameColumns: undefined, sheet, now },
      async (source) => {
        const { table, name } = source
        const matching = matchColumns(table.columns, {
          file: name,
          known: leadFields,
          required: 'phone',
          maps: map,
          fieldsFromRest: false,
        })
        const { fields, ignored } = matching
        found.notices.push(...table.notices, ...(ignored.length > 0 ? [listIgnored(matching)] : []))
        const phoneColumn = Math.min(...columnsOf(fields, 'phone'))
        const { table: counted } = leaveOut ? await leaveOut(source, fields, found.notices) : source
        for await (const row of counted.rows()) {
          const problem = missingValue(row, phoneColumn, fields.length)
          if (problem !== undefined) found.unreadable.push({ line: row.line, problem })
          else addLead(found, row.line, leadOf(row.values, fields, {}))
        }
      },
    )
  } finally {
    process.removeListener('exit', remove)
    remove()
  }
  return found
}

function addLead(found: LeadRows, line: number, { phone, external_id, consent }: LeadInput): void {
  found.leads.push({ phone, ...(typeof external_id === 'string' && { external_id }) })
  found.lines.push(line)
  if (consent === undefined) found.withoutConsent++
}
