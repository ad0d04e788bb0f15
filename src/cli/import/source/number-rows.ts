/** Splits the rows of a file into one row for each phone number, for lists of numbers that are not to be called. */
import { unescapeFormula } from '../../../csv/formula.js'
import { parsePhone } from '../../../phone/number.js'
import type { RawRow } from '../rows.js'
import type { Table } from './table.js'

/**
 * The same table with a row for each number: a row with two numbers comes twice, each time with one of them. The other phone
 * columns are empty, so that a refused number can be corrected and imported without the others. `phones` are the phone columns.
 * `numbers` counts each number once.
 */
export async function splitByNumber(table: Table, phones: readonly number[]): Promise<Table & { numbers: number }> {
  const rows = async function* () {
    for await (const row of table.rows()) yield* rowsOfNumbers(row, phones)
  }
  let [total, numbers] = [0, 0]
  const seen = new Set<string>()
  for await (const { values } of rows()) {
    total += 1
    const key = phones.map((at) => keyOf((values[at] ?? '').trim())).find(Boolean)
    if (key === undefined || seen.has(key)) continue
    numbers += 1
    if (seen.size < keptMax) seen.add(key)
  }
  return { ...table, total, numbers, rows }
}

/** Numbers in memory, so that it does not grow with the file. More are counted without looking for repeated ones. */
const keptMax = 200_000

/** The same for two forms of one number. */
function keyOf(text: string): string {
  const number = parsePhone(unescapeFormula(text))
  return number.kind === 'invalid' ? text : number.e164
}

/** A row without a number stays, so that it is refused. */
function* rowsOfNumbers(row: RawRow, phones: readonly number[]): Generator<RawRow> {
  const numbers = row.problem === undefined ? numbersOf(row, phones) : []
  if (numbers.length <= 1 && !numbers.some(({ isPart }) => isPart)) {
    yield row
    return
  }
  for (const { at, text } of numbers)
    yield {
      ...row,
      values: row.values.map((value, column) => (column === at ? text : phones.includes(column) ? '' : value)),
    }
}

interface NumberInRow {
  /** Its column. */
  at: number
  text: string
  /** True if the cell has more than this number. */
  isPart: boolean
}

/** Each number of a row once. */
function numbersOf({ values }: RawRow, phones: readonly number[]): NumberInRow[] {
  const found = new Map<string, NumberInRow>()
  for (const at of phones) {
    const cell = (values[at] ?? '').trim()
    // Google Contacts separates the numbers of one column like this.
    const parts = cell.split(' ::: ').map((part) => part.trim())
    for (const text of parts) {
      const key = keyOf(text)
      if (text !== '' && !found.has(key)) found.set(key, { at, text, isPart: parts.length > 1 })
    }
  }
  return [...found.values()]
}
