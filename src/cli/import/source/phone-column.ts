/** Finds the columns with phone numbers by the first rows of a file. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { parsePhone } from '../../../phone/number.js'
import type { Choice } from '../../input/questions.js'
import type { RawRow } from '../rows.js'

/** How many rows are looked at. */
const sampleRows = 100
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

/** Columns with a header like that of a phone and mostly phone numbers in them, by index. */
export async function findPhoneColumns(columns: readonly string[], rows: AsyncIterable<RawRow>): Promise<Set<number>> {
  const sampled = await sampleColumns(columns, rows)
  const isPhone = ({ name, numbers, values }: SampledColumn) => phoneWord.test(name) && numbers * 2 > values
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
  let count = 0
  for await (const { values } of rows) {
    for (const [at, column] of found.entries()) {
      const value = values[at]?.trim() ?? ''
      if (column.sample === '') column.sample = value
      if (value !== '') column.values += 1
      if (parsePhone(value).kind !== 'invalid') column.numbers += 1
    }
    count += 1
    if (count === sampleRows) break
  }
  return found
}
