/** Finds the columns with phone numbers by the first values of each column. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { parsePhone } from '../../../phone/number.js'
import type { Choice } from '../../input/questions/questions.js'
import type { RawRow } from '../rows.js'
import { normalizeHeader, phoneRank } from './combined-columns.js'

/** How many values of a column are looked at. */
const sampleValues = 100
const sampleWidth = 30

/** Columns with phone numbers, the likely one first, each with its first value: for the question which one is the phone. */
export async function phoneColumnChoices(columns: readonly string[], rows: AsyncIterable<RawRow>): Promise<Choice[]> {
  return (await sampleColumns(columns, rows))
    .filter(({ name, numbers }) => name !== '' && numbers > 0)
    .sort((a, b) => b.numbers - a.numbers)
    .map(({ name, sample }) => ({
      name: sample === '' ? name : `${name}, such as ${cutTo(sampleWidth, stripControlsFromLine(sample))}`,
      value: `${name}=phone`,
    }))
}

/** Words in the headers of phone columns that no list knows, such as `Phone 4 - Value` or `Partner cell`. */
const phoneWord = /phone|mobile|\bcell|\btel\b|t[eé]l[eé]fon|celular|m[oó]vil|handy/i

/** Ids may look like numbers. */
const idWord = /\bid\b|[_a-z]id$/i

/** True if nearly all values are phone numbers, whatever the header is: `Home` next to `Cell`. */
const isNearlyAllPhones = ({ name, numbers, values }: SampledColumn): boolean =>
  numbers > 0 && numbers * 5 >= values * 4 && (numbers >= 3 || numbers === values) && !idWord.test(name)

/**
 * Columns with phone numbers, by index: mostly, if the header is like that of a phone, else nearly all values. The second kind
 * counts only next to a column with such a header: a first line that names no column may be a note.
 */
export async function findPhoneColumns(columns: readonly string[], rows: AsyncIterable<RawRow>): Promise<Set<number>> {
  const sampled = await sampleColumns(columns, rows)
  const hasHeader = columns.some((name) => phoneWord.test(name) || phoneRank(normalizeHeader(name)) >= 0)
  const isPhone = (column: SampledColumn) =>
    (phoneWord.test(column.name) && column.numbers * 2 > column.values) || (hasHeader && isNearlyAllPhones(column))
  return new Set([...sampled.keys()].filter((at) => sampled[at] !== undefined && isPhone(sampled[at])))
}

interface SampledColumn {
  name: string
  /** Cells that are not empty, and those of them that are phone numbers. */
  values: number
  numbers: number
  /** The first value. */
  sample: string
}

async function sampleColumns(columns: readonly string[], rows: AsyncIterable<RawRow>): Promise<SampledColumn[]> {
  const found = columns.map((name) => ({ name, values: 0, numbers: 0, sample: '' }))
  for await (const { values } of rows) {
    for (const [at, column] of found.entries()) {
      const value = values[at]?.trim() ?? ''
      if (value === '' || column.values === sampleValues) continue
      if (column.sample === '') column.sample = value
      column.values += 1
      if (parsePhone(value).kind !== 'invalid') column.numbers += 1
    }
    if (found.every((column) => column.values === sampleValues)) break
  }
  return found
}
