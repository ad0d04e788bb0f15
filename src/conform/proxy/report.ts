/** Output of the proxy: one record or one line for each exchange, and the totals at the end. */
import type { Paint } from '../../output/table/cell.js'
import { resultColumns } from '../../output/columns/results.js'
import type { Printer } from '../../output/printer.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { cutTo, wrapWords } from '../../output/table/width.js'
import type { ExchangeRecord } from './exchange-record.js'

export interface Totals {
  exchanges: number
  /** Exchanges with a departure. */
  departing: number
  departures: number
  by_rule: Record<string, number>
}

export class Report {
  readonly totals: Totals = { exchanges: 0, departing: 0, departures: 0, by_rule: {} }
  readonly #printer: Printer
  readonly #write: (items: readonly unknown[]) => Promise<void>
  /** Lines are written one after another, in the order of the replies. */
  #last: Promise<void> = Promise.resolve()

  private constructor(printer: Printer, write: (items: readonly unknown[]) => Promise<void>) {
    this.#printer = printer
    this.#write = write
  }

  static async begin(printer: Printer): Promise<Report> {
    return new Report(printer, await printer.lines(resultColumns.exchange))
  }

  /** Prints an exchange, and counts it. */
  exchange(record: ExchangeRecord): void {
    this.#count(record)
    // If the reader has closed the output, the program exits elsewhere.
    this.#last = this.#last.then(() => this.#print(record)).catch(() => undefined)
  }

  /** Resolves when everything is written. */
  async written(): Promise<void> {
    await this.#last
  }

  #count({ departures }: ExchangeRecord): void {
    const { totals } = this
    totals.exchanges++
    if (departures.length > 0) totals.departing++
    totals.departures += departures.length
    for (const { rule } of departures) totals.by_rule[rule] = (totals.by_rule[rule] ?? 0) + 1
  }

  async #print(record: ExchangeRecord): Promise<void> {
    const { format, columns, width, terminal } = this.#printer.style
    if (format !== 'table' || columns !== undefined) return this.#write([record])
    await this.#printer.drawn((paint) => renderExchange(record, { paint, width: terminal ? width : Infinity }))
  }
}

interface Layout {
  paint: Paint
  width: number
}

const pathWidthMin = 24
const pathWidthUsual = 40

/** `15:01:41 POST   /leads  201   12 ms`, and below it each departure. Nothing is wider than the terminal. */
function renderExchange(record: ExchangeRecord, { paint, width }: Layout): string {
  const { at, method, path, status, ms, departures, error } = record
  const time = new Date(at).toTimeString().slice(0, 8)
  const state = String(status ?? '-')
  const took = `${ms} ms`.padStart(7)
  const verb = method.padEnd(6)
  const left = width - `${time} ${verb}   ${state}  ${took}`.length
  const shown = stripControlsFromLine(shortPath(path))
  // A narrow terminal leaves out the time first, because the path says more.
  const line =
    left >= pathWidthMin
      ? [paint.dim(time), verb, padTo(left, shown), ' ' + paintStatus(paint, status, state), paint.dim(took)].join(' ')
      : [verb, cutTo(Math.max(width - 12, 4), shown), paintStatus(paint, status, state)].join(' ')
  const below = [
    ...(error === undefined ? [] : [error]),
    ...departures.map(({ where, at: part, message, rule }) => `${where}: ${part}: ${message} (${rule})`),
  ]
  const indent = width < 60 ? '  ' : '         '
  return [line, ...below.flatMap((text) => indented(text, indent, width).map((part) => paint.yellow(part)))].join('\n')
}

/** Statuses stand below each other, unless a path is long. */
const padTo = (left: number, path: string): string => cutTo(left, path).padEnd(Math.min(left, pathWidthUsual))

const indented = (text: string, indent: string, width: number): string[] =>
  wrapWords(stripControlsFromLine(text), width - indent.length - 2).map((line, index) =>
    cutTo(width, `${indent}${index > 0 ? '  ' : ''}${line}`),
  )

/** The path below the base path of the API, which is the same in every line. */
const shortPath = (path: string): string => path.replace(/^.*?\/api\/v1\/external(?=\/)/, '')

function paintStatus(paint: Paint, status: number | null, text: string): string {
  if (status === null || status >= 500) return paint.red(text)
  return status >= 400 ? paint.yellow(text) : paint.green(text)
}

/** `12 exchanges, 3 departures in 2 of them: 2 of C7, 1 of F1.` */
export function describeTotals({ exchanges, departing, departures, by_rule }: Totals): string {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  if (departures === 0) return `${count(exchanges, 'exchange')}, nothing departs from the contract.`
  const rules = Object.entries(by_rule)
    .sort(([a, more], [b, less]) => less - more || a.localeCompare(b, 'en', { numeric: true }))
    .map(([rule, number]) => `${number} of ${rule}`)
  return `${count(exchanges, 'exchange')}, ${count(departures, 'departure')} in ${departing} of them: ${rules.join(', ')}.`
}
