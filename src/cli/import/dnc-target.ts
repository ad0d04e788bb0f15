/** Sends numbers to the Do Not Call list, as batches of the API. */
import type { Client, Contract } from '../../client/client.js'
import { dncNumbersPerBatch, pageSizeMax } from '../../contract/limits.js'
import { unescapeFormula } from '../../csv/formula.js'
import { parsePhone } from '../../phone/number.js'
import { resultColumns } from '../../output/columns/results.js'
import { withReason } from './review/number-faults.js'
import type { Field } from './source/columns.js'
import { leadFields } from './lead-target.js'
import { missingValue, type ImportTarget, type Outcome } from './target.js'

/** Aliases of the phone column. */
export const dncFields: readonly Field[] = [
  { name: 'phone', also: [...(leadFields.find(({ name }) => name === 'phone')?.also ?? []), 'number', 'dnc'] },
]

/** Column names for a file with one number per line and no header; undefined for any other file. */
export function withoutNames(first: readonly string[]): readonly string[] | undefined {
  const filled = first.filter((value) => value.trim() !== '')
  return filled.length === 1 && isLikeNumber(filled[0] ?? '') ? ['phone'] : undefined
}

const isLikeNumber = (text: string): boolean => /^\P{L}*\d\P{L}*$/u.test(text) || /(\d\D*){7}/.test(text)

export interface DncTargetParts {
  client: Client<Contract>
  /** Indexes of the phone columns, and the number of columns. A row has a value in one of them at most. */
  phones: readonly number[]
  columns: number
  unit: 'rows' | 'numbers'
  /** True if the text is a number that can be listed. */
  isNumber: (text: string) => boolean
  /** True if the numbers are only compared with the list. */
  dryRun: boolean
  /** Called with the numbers that were added, before the journal is written. */
  onAdded: (phones: readonly string[]) => void
  /** The command that removes the numbers again; null if none were added. */
  undoCommand: () => string | null
  /** Sentences after the result. */
  remarks: () => readonly string[]
}

export function dncTarget(parts: DncTargetParts): ImportTarget<string> {
  const { client, phones: phoneColumns, columns, unit, isNumber, dryRun, onAdded, undoCommand, remarks } = parts
  let listed: Promise<Set<string>> | undefined
  return {
    identity: phoneColumns,
    isDryRun: dryRun,
    isRepeatable: false,
    rate: undefined,
    columns: resultColumns.dncImport,
    unit,
    result: () => ({ undo: undoCommand() }),
    remarks,
    what: 'numbers',
    list: 'phones',
    most: dncNumbersPerBatch,
    isLimited: false,
    problem: (row) => missingValue(row, Math.min(...phoneColumns), columns),
    make: ({ values }) => phoneColumns.map((at) => unescapeFormula((values[at] ?? '').trim())).find(Boolean) ?? '',
    refuse: (text) =>
      text === '' ? { kind: 'refused', code: 'missing_phone', message: 'The row has no number.' } : undefined,
    body: (phones) => ({ phones }),
    send: async (phones, options) => {
      if (dryRun) {
        const outcomes = rehearse(phones, await (listed ??= readList(client)), isNumber)
        return { outcomes, headers: {}, stopped: undefined }
      }
      const { body, headers } = await client.call('addDncBatch', { body: { phones: [...phones] } }, options)
      const outcomes = outcomesOf(phones, body.data.errors, isNumber)
      onAdded(phones.filter((_phone, at) => outcomes[at]?.kind === 'added'))
      return { outcomes, headers, stopped: undefined }
    },
    isEveryRows: () => false,
  }
}

/**
 * The answer names the numbers that were not added, but not why: they are invalid or already listed. If a number
 * occurs twice in the batch, the first one was added.
 */
function outcomesOf(
  phones: readonly string[],
  errors: readonly string[],
  isNumber: (text: string) => boolean,
): Outcome[] {
  const left = new Map<string, number>()
  for (const phone of errors) left.set(phone, (left.get(phone) ?? 0) + 1)
  return phones
    .toReversed()
    .map((phone): Outcome => {
      const times = left.get(phone) ?? 0
      left.set(phone, times - 1)
      if (times <= 0) return { kind: 'added' }
      return isNumber(phone) ? duplicate : invalid(phone)
    })
    .toReversed()
}

const duplicate: Outcome = {
  kind: 'refused',
  code: 'duplicate_dnc_entry',
  message: 'The number is already on the Do Not Call list.',
}
const invalid = (text: string): Outcome => ({
  kind: 'refused',
  code: 'invalid_phone',
  message: withReason('This is not a valid phone number.', text),
})

/** Every number on the list, read page by page. */
async function readList(client: Client<Contract>): Promise<Set<string>> {
  const listed = new Set<string>()
  for await (const { body } of client.pages('listDnc', { query: { limit: pageSizeMax } }))
    for (const { phone } of body.data) listed.add(phone)
  return listed
}

/** What the service would answer. Adds the numbers to `listed`, so that a second row of the same number is refused. */
function rehearse(phones: readonly string[], listed: Set<string>, isNumber: (text: string) => boolean): Outcome[] {
  return phones.map((text) => {
    const number = parsePhone(text)
    if (number.kind === 'invalid' || !isNumber(text)) return invalid(text)
    if (listed.has(number.e164)) return duplicate
    listed.add(number.e164)
    return { kind: 'added' }
  })
}
