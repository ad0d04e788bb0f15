/** Splits the rows of a file into one row for each phone number, for lists of numbers that are not to be called. */
import { unescapeFormula } from '../../../csv/formula.js'
import { parsePhone } from '../../../phone/number.js'
import type { RawRow } from '../rows.js'
import type { Table } from './table.js'

/**
 * The same table with a row for each number: a row with two numbers comes twice, each time with one of them. The other phone
 * columns are empty, so that a refused number can be corrected and imported without the others. `phones` are the phone columns.
 */
export async function splitByNumber(table: Table, phones: readonly number[]): Promise<Table> {
  const rows = async function* () {
    for await (const row of table.rows()) yield* rowsOfNumbers(row, phones)
  }
  let total = 0
  for await (const _row of rows()) total += 1
  return { ...table, total, rows }
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
      const number = parsePhone(unescapeFormula(text))
      const key = number.kind === 'invalid' ? text : number.e164
      if (text !== '' && !found.has(key)) found.set(key, { at, text, isPart: parts.length > 1 })
    }
  }
  return [...found.values()]
}
