/** Sends numbers to the Do Not Call list, as batches of the API. */
import type { Client, Contract } from '../../client/client.js'
import { dncNumbersPerBatch } from '../../contract/limits.js'
import { missingValue, type Cargo } from './cargo.js'
import type { Field } from './columns.js'
import { leadFields, unescapeFormula } from './lead-fields.js'
import type { Outcome } from './tally.js'

/** With what such a column is often called. */
export const dncFields: readonly Field[] = [
  { name: 'phone', also: [...(leadFields.find(({ name }) => name === 'phone')?.also ?? []), 'number', 'dnc'] },
]

/** The column of a file that is one number a line, without a line that names it; undefined for any other. */
export function withoutNames(first: readonly string[]): readonly string[] | undefined {
  const filled = first.filter((value) => value.trim() !== '')
  return filled.length === 1 && isLikeNumber(filled[0] ?? '') ? ['phone'] : undefined
}

const isLikeNumber = (text: string): boolean => /^\P{L}*\d\P{L}*$/u.test(text) || /(\d\D*){7}/.test(text)

export interface DncCargoParts {
  client: Client<Contract>
  /** The column of the numbers, and how many columns there are. */
  column: number
  columns: number
  /** Whether a text is a number that can be listed. */
  isNumber: (text: string) => boolean
}

export function dncCargo({ client, column, columns, isNumber }: DncCargoParts): Cargo<string> {
  return {
    what: 'numbers',
    list: 'phones',
    most: dncNumbersPerBatch,
    isLimited: false,
    problem: (row) => missingValue(row, column, columns),
    make: ({ values }) => unescapeFormula((values[column] ?? '').trim()),
    body: (phones) => ({ phones }),
    send: async (phones, options) => {
      const { body, headers } = await client.call('addDncBatch', { body: { phones: [...phones] } }, options)
      return { outcomes: outcomes(phones, body.data.errors, isNumber), headers, stopped: undefined }
    },
    isEveryRows: () => false,
  }
}

/**
 * The answer names the numbers that were not added, and not why: they are bad, or there already. Of a number that
 * stands twice in the batch the first was added, if one was.
 */
function outcomes(
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
      return isNumber(phone)
        ? { kind: 'refused', code: 'duplicate_dnc_entry', message: 'The number is on the Do Not Call list already.' }
        : { kind: 'refused', code: 'invalid_phone', message: 'This is not a telephone number.' }
    })
    .toReversed()
}
