/** Renders rows as a table that fits the terminal: drops columns from the right instead of wrapping, and says which. */
import type { Cell } from './cell.js'
import { headersOf } from '../columns/headers.js'
import { layOut } from './table-layout.js'
import { cutTo, widthOf, wrapWords } from './width.js'

const gap = 2
/** Narrower screens cut names to keep the columns after them. */
const narrowScreen = 60
/** Columns are cut to no less than this. */
const narrowestName = 8
const narrowestText = 24
/** Whole names must leave room for this many columns. */
const leastColumns = 3

/** Free text, which can be cut at any width. Other columns are shown whole or not at all. */
const textColumns =
  /(^|\.)(fields|data|detail|advice|what|why|body|request_body|response_body|note|text|subject|error|url|events|labels|held_reason|scheduled_reason|path|calls|matches|effect)(\.|$)/
const nameColumns = /(^|[._])(name|who)$/

export interface TableStyle {
  /** Width of the screen; `Infinity` without one. */
  width: number
  header: boolean
  bold: (text: string) => string
  dim?: (text: string) => string
  /** Columns that are left out first if not all fit, in this order. The others follow from the right. */
  leastImportant?: readonly string[] | undefined
}

/** `footnote` is printed below the table. */
export async function renderTable(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  style: TableStyle,
  footnote?: string,
): Promise<string> {
  const titles = headersOf(columns)
  const fitting = fitColumns(columns, wantedWidths(titles, rows, style), style)
  const shown = fitting.map(({ at }) => columns[at] ?? '')
  const texts = fitting.map(({ at, width }) => [
    ...(style.header ? [cellText({ text: titles[at] ?? '', paint: style.bold }, width)] : []),
    ...rows.map((row) => cellText(cellToShow(row[at], shown), width)),
  ])
  const widths = fitting.map(({ width }) => width)
  const lines = texts[0]?.length ? await layOut(texts, widths, gap) : []
  const dropped = titles.filter((_, at) => fitting.every((one) => one.at !== at))
  const notes = [...(dropped.length > 0 ? [`Not shown: ${dropped.join(', ')}`] : []), ...(footnote ? [footnote] : [])]
  const noteLines = notes.flatMap((note) => wrapWords(note, style.width)).map((line) => style.dim?.(line) ?? line)
  return [...lines.map((line) => line.trimEnd()), ...noteLines, ''].join('\n')
}

/** True if no column would have to be left out. */
export function showsAllColumns(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  style: TableStyle,
): boolean {
  return fitColumns(columns, wantedWidths(headersOf(columns), rows, style), style).length === columns.length
}

/** Widths that show every text whole. */
const wantedWidths = (titles: readonly string[], rows: readonly (readonly Cell[])[], { header }: TableStyle) =>
  titles.map((title, at) =>
    rows.reduce((most, row) => Math.max(most, widthOfCell(row[at])), header ? widthOf(title) : 1),
  )

/** Room for either of the two cells that may be shown. */
const widthOfCell = (cell: Cell | undefined): number =>
  Math.max(widthOf(cell?.text ?? ''), widthOf(cell?.unlessShown?.cell.text ?? ''))

const cellToShow = (cell: Cell | undefined, shown: readonly string[]): Cell =>
  cell?.unlessShown && !shown.includes(cell.unlessShown.column) ? cell.unlessShown.cell : (cell ?? { text: '' })

interface FittingColumn {
  /** Index among all columns. */
  at: number
  width: number
}

/** The columns that fit, with their widths: as many as possible, the least important ones left out first. */
function fitColumns(columns: readonly string[], wanted: readonly number[], style: TableStyle): FittingColumn[] {
  const whole = fitAllBut(columns, wanted, style, style.width < narrowScreen)
  if (whole.length >= Math.min(leastColumns, columns.length)) return whole
  // A name that would leave hardly any other column is cut on wide screens, too.
  return fitAllBut(columns, wanted, style, true)
}

function fitAllBut(
  columns: readonly string[],
  wanted: readonly number[],
  { width: screen, leastImportant = [] }: TableStyle,
  cutsNames: boolean,
): FittingColumn[] {
  const named = leastImportant.map((column) => columns.indexOf(column)).filter((at) => at >= 0)
  const others = [...columns.keys()].filter((at) => !named.includes(at)).reverse()
  const leftOut = new Set<number>()
  for (const next of [...named, ...others]) {
    const chosen = [...columns.keys()].filter((at) => !leftOut.has(at))
    const room = screen - gap * (chosen.length - 1)
    const least = (at: number) => leastWidth(columns[chosen[at] ?? 0] ?? '', wanted[chosen[at] ?? 0] ?? 0, cutsNames)
    const widths = shrink(
      chosen.map((at) => wanted[at] ?? 0),
      room,
      least,
    )
    if (total(widths) <= room) return chosen.map((at, i) => ({ at, width: widths[i] ?? 0 }))
    if (chosen.length === 1) return [{ at: next, width: screen }]
    leftOut.add(next)
  }
  return []
}

/** Cuts the widest column that can be cut, again and again, until all fit or none can be cut. */
function shrink(wanted: readonly number[], available: number, least: (at: number) => number): number[] {
  const widths = [...wanted]
  for (let over = total(widths) - available; over > 0; over--) {
    const [giver] = [...widths.keys()]
      .filter((at) => (widths[at] ?? 0) > least(at))
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))
    if (giver === undefined) break
    widths[giver] = (widths[giver] ?? 0) - 1
  }
  return widths
}

function leastWidth(column: string, wanted: number, cutsNames: boolean): number {
  if (textColumns.test(column)) return Math.min(wanted, narrowestText)
  return cutsNames && nameColumns.test(column) ? Math.min(wanted, narrowestName) : wanted
}

/** A text of exactly the width. The package would cut an emoji in two. */
function cellText(cell: Cell, width: number): string {
  const cut = cutTo(width, cell.text)
  return (cell.paint?.(cut) ?? cut) + ' '.repeat(Math.max(width - widthOf(cut), 0))
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
