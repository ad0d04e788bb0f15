/** Reads a sheet of an Excel workbook (.xlsx) as rows of text. The whole sheet is in memory, so its size is limited. */
import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import { UsageError } from '../../errors/usage-error.js'
import type { RawRow } from '../rows.js'
import { unpackedSize } from './zip-size.js'

const mebibyte = 1_048_576
/** Limits of a workbook in bytes: as a file, and unpacked. */
const fileMax = 20 * mebibyte
const unpackedMax = 200 * mebibyte

export interface Worksheet {
  name: string
  /** Names of the other visible sheets. */
  others: readonly string[]
  /** Rows with their numbers in the sheet. Empty rows are left out. */
  rows: readonly RawRow[]
  /** Columns with times, which have no time zone in a workbook and are read as local times. */
  localTimes: ReadonlySet<number>
}

/** Throws `UsageError` before the workbook is read into memory if it is too large. */
export function checkWorkbookSize(name: string, bytes: number): void {
  if (bytes > fileMax) throw tooLarge(name, fileMax)
}

/** Reads the sheet with this name, or the first visible one. `name` is the file in messages. */
export async function readWorkbook(name: string, bytes: Buffer, sheet: string | undefined): Promise<Worksheet> {
  if (unpackedSize(bytes) > unpackedMax) throw tooLarge(name, unpackedMax)
  try {
    const sheets: { name: string; isHidden: boolean }[] = []
    const listSheets = (info: { name: string; hidden?: boolean; veryHidden?: boolean }): boolean => {
      sheets.push({ name: info.name, isHidden: info.hidden === true || info.veryHidden === true })
      return false
    }
    await readXlsx(bytes, { sheets: listSheets })
    const visible = sheets.filter(({ isHidden }) => !isHidden).map((one) => one.name)
    const chosen = sheet === undefined ? visible[0] : sheets.find((one) => one.name === sheet)?.name
    if (chosen === undefined) throw noSuchSheet(name, sheet, visible)
    const rows: RawRow[] = []
    const localTimes = new Set<number>()
    for await (const { index, values } of streamXlsxRows(bytes, { sheet: chosen }))
      if (values.length > 0) {
        for (const [at, value] of values.entries()) if (isLocalTime(value)) localTimes.add(at)
        rows.push({ line: index + 1, values: values.map(cellText), problem: undefined })
      }
    return { name: chosen, others: visible.filter((one) => one !== chosen), rows, localTimes }
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof Error)) throw error
    throw new UsageError(
      `${name} cannot be read as an Excel workbook (${error.message.split('\n')[0] ?? ''}).`,
      'Save it as CSV UTF-8 in your spreadsheet program, and import that file.',
    )
  }
}

function noSuchSheet(file: string, sheet: string | undefined, visible: readonly string[]): UsageError {
  const names = visible.map((name) => JSON.stringify(name)).join(', ')
  if (sheet === undefined) return new UsageError(`${file} has no visible sheet.`)
  return new UsageError(`--sheet ${JSON.stringify(sheet)}: ${file} has no such sheet.`, `Its sheets are: ${names}.`)
}

const tooLarge = (name: string, limit: number): UsageError =>
  new UsageError(
    `${name} is too large for a workbook: the limit is ${limit / mebibyte} MB${limit === unpackedMax ? ' unpacked' : ''}.`,
    'Save it as CSV UTF-8 in your spreadsheet program: a CSV file can have any size.',
  )

type Cell = string | number | boolean | Date | null | undefined

/** Whole digits for whole numbers: the number format of a cell may shorten them on the screen only. */
export function cellText(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return dateText(value)
  if (typeof value !== 'number') return String(value)
  // Spreadsheets keep 15 digits of a fraction.
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(15)))
}

/** True for a cell with a date and a time. */
const isLocalTime = (value: Cell): boolean => value instanceof Date && /T.*Z$/.test(dateText(value))

/** Cells have no time zone, so a time is local. A cell without a date has the day before 1900. */
function dateText(cell: Date): string {
  const [date = '', time = ''] = cell.toISOString().replace('Z', '').split('T')
  if (date < '1900-01-01') return time.slice(0, 8)
  return time === '00:00:00.000' ? date : new Date(`${date}T${time}`).toISOString()
}
