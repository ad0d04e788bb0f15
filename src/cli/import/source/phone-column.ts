/** Ranks the columns of a file by how many of their values are phone numbers, for the question which one is the phone. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { parsePhone } from '../../../phone/number.js'
import type { Choice } from '../../input/questions.js'
import type { RawRow } from '../rows.js'

/** How many rows are looked at. */
const sampleRows = 100
const sampleWidth = 30

/** Columns with phone numbers, the likely one first, each with its first value. */
export async function phoneColumnChoices(columns: readonly string[], rows: AsyncIterable<RawRow>): Promise<Choice[]> {
  const found = columns.map((name) => ({ name, numbers: 0, sample: '' }))
  let count = 0
  for await (const { values } of rows) {
    for (const [at, column] of found.entries()) {
      const value = values[at]?.trim() ?? ''
      if (column.sample === '') column.sample = value
      if (parsePhone(value).kind !== 'invalid') column.numbers += 1
    }
    count += 1
    if (count === sampleRows) break
  }
  return found
    .filter(({ name, numbers }) => name !== '' && numbers > 0)
    .sort((a, b) => b.numbers - a.numbers)
    .map(({ name, sample }) => ({
      name: sample === '' ? name : `${name}, such as ${cutTo(sampleWidth, stripControlsFromLine(sample))}`,
      value: `${name}=phone`,
    }))
}
