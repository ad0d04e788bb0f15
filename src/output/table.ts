/** Renders rows as a table that fits the terminal, with colored states and relative times. */
import type { Cell } from './cell.js'
import { cutTo, widthOf } from './width.js'

/** Above this many rows, prints without frames: the table library would take seconds. */
const framedRows = 500
const gap = 2
const narrowest = 6
/** Longer cells are cut before column widths are computed. */
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

/** Shrinks the widest column until all fit. Shrinks ids last, because a cut id is useless. */
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
  // The library would cut an emoji in two.
  for (const row of rows) table.push(row.map((cell, at) => paintCell(cutCell(cell, widths[at] ?? 0))))
  return trimEnd(table.toString().split('\n'))
}

/** Pads or cuts text to an exact width. */
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

/** Uses a loop: `Math.max` with 100,000 arguments overflows the stack. */
function maximum(numbers: readonly number[]): readonly number[] {
  return numbers.length > 0 ? [numbers.reduce((most, number) => Math.max(most, number))] : []
}
