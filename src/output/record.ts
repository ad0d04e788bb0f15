/** Renders one object with one line per field. Shows full values, and times also relative to now. */
import { formatCell, type Paint } from './cell.js'
import { valueAt } from './columns.js'
import { stripControlsFromLine } from './sanitize.js'
import { isDateTime } from './time.js'
import { widthOf } from './width.js'

/** `columns` selects fields and their order; without it, all fields are shown. */
export function renderRecord(item: unknown, columns: readonly string[] | undefined, now: number, paint: Paint): string {
  const fields = columns ? columns.map((column) => [column, valueAt(item, column)] as const) : flattenRecord('', item)
  const shown = fields.map(
    ([name, value]) => [stripControlsFromLine(name), recordText(name, value, now, paint)] as const,
  )
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)))
  return shown.map(([name, value]) => `${paint.dim(name + ' '.repeat(width - widthOf(name)))}  ${value}\n`).join('')
}

function recordText(name: string, value: unknown, now: number, paint: Paint): string {
  const cell = formatCell(name, value, now, paint)
  if (isDateTime(value)) return `${value} ${paint.dim(`(${cell.text})`)}`
  return cell.paint?.(cell.text) ?? cell.text
}

/** Flattens objects into dotted names and lists of objects into numbered names. Keeps lists of plain values. */
function flattenRecord(name: string, value: unknown): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[name, value]]
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object')) return [[name, value]]
    return value.flatMap((one, at) => flattenRecord(`${name}[${at}]`, one))
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return [[name, null]]
  return entries.flatMap(([key, part]) => flattenRecord(name ? `${name}.${key}` : key, part))
}
