/** Renders rows as a table that fits the terminal, with colored states and relative times. */
import type { Cell } from './cell.js'
import { cutTo, widthOf } from './width.js'

/** Rows rendered at a time. The package needs quadratic time in the number of rows of one table. */
const rowsAtATime = 20
const frameParts = [
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
  return layOut([...head, ...rows], widths)
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

/** Without frames: spaces separate the columns. */
async function layOut(rows: readonly (readonly Cell[])[], widths: readonly number[]): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const options = {
    chars: Object.fromEntries(frameParts.map((part) => [part, ''])),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
    colWidths: widths.map((one) => one + gap),
    truncate: '…',
  }
  const lines: string[] = []
  for (let at = 0; at < rows.length; at += rowsAtATime) {
    const table = new Table(options)
    // The package would cut an emoji in two.
    for (const row of rows.slice(at, at + rowsAtATime))
      table.push(row.map((cell, column) => paintCell(cell, widths[column] ?? 0)))
    lines.push(...table.toString().split('\n'))
  }
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

function paintCell({ text, paint }: Cell, width: number): string {
  const cut = cutTo(width, text)
  return paint?.(cut) ?? cut
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Uses a loop: `Math.max` with 100,000 arguments overflows the stack. */
function maximum(numbers: readonly number[]): readonly number[] {
  return numbers.length > 0 ? [numbers.reduce((most, number) => Math.max(most, number))] : []
}
