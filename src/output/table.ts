/** Rows for a person: columns that fit the terminal, states in colour, times by their distance. */
import type { Cell } from './cell.js'
import { cutTo, widthOf } from './width.js'

/** Past so many rows the table library takes seconds, and nobody reads frames. */
const framedRows = 500
const gap = 2
const narrowest = 6
/** Cells longer than this are cut before widths are shared out. */
const widest = 60

export interface TableStyle {
  width: number
  header: boolean
  bold: (text: string) => string
}

export async function renderTable(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  style: TableStyle,
): Promise<string> {
  const titles = columns.map((column) => column.toUpperCase().replaceAll('_', ' '))
  const wanted = titles.map((title, at) => {
    const cells = rows.map((row) => widthOf(row[at]?.text ?? ''))
    return Math.min(Math.max(style.header ? widthOf(title) : 0, ...maximum(cells)), widest)
  })
  const widths = shareWidth(wanted, style.width - gap * (columns.length - 1), columns)
  const head = style.header ? [titles.map((title) => ({ text: title, paint: style.bold }))] : []
  const all = [...head, ...rows]
  return rows.length > framedRows ? plainTable(all, widths) : await frameTable(all, widths)
}

/** Takes from the widest column until all fit; an id is of use only whole, so it gives last. */
function shareWidth(wanted: readonly number[], available: number, columns: readonly string[]): number[] {
  const widths = [...wanted]
  const isId = (at: number) => columns[at] === 'id'
  for (let over = total(widths) - available; over > 0; over--) {
    const givers = [...widths.keys()].filter((at) => (widths[at] ?? 0) > narrowest)
    const [giver] = givers.sort((a, b) => Number(isId(a)) - Number(isId(b)) || (widths[b] ?? 0) - (widths[a] ?? 0))
    if (giver === undefined) break
    widths[giver] = (widths[giver] ?? 0) - 1
  }
  return widths
}

async function frameTable(rows: readonly (readonly Cell[])[], widths: readonly number[]): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const none = [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
    'middle',
  ]
  const table = new Table({
    chars: Object.fromEntries(none.map((place) => [place, ''])),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
    colWidths: widths.map((one) => one + gap),
    truncate: '…',
  })
  // The library would cut a picture in two.
  for (const row of rows) table.push(row.map((cell, at) => paintCell(cutCell(cell, widths[at] ?? 0))))
  return trimEnd(table.toString().split('\n'))
}

/** As many columns as there are, whatever the text. */
function fitColumns(cell: Cell, size: number): string {
  const cut = cutCell(cell, size)
  return paintCell(cut) + ' '.repeat(Math.max(0, size - widthOf(cut.text)))
}

function plainTable(rows: readonly (readonly Cell[])[], widths: readonly number[]): string {
  const lines = rows.map((row) => row.map((cell, at) => fitColumns(cell, widths[at] ?? 0)).join(' '.repeat(gap)))
  return trimEnd(lines)
}

const cutCell = (cell: Cell, size: number): Cell => ({ ...cell, text: cutTo(size, cell.text) })

const paintCell = ({ text, paint }: Cell): string => paint?.(text) ?? text

const trimEnd = (lines: readonly string[]): string => `${lines.map((line) => line.trimEnd()).join('\n')}\n`

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** As a list of one, or none: `Math.max` over a hundred thousand arguments overflows the stack. */
function maximum(numbers: readonly number[]): readonly number[] {
  return numbers.length > 0 ? [numbers.reduce((most, number) => Math.max(most, number))] : []
}
