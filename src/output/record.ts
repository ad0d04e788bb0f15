/** Renders one object in labelled groups, for the width of a terminal. Leaves out empty values. */
import { formatCell, type CellStyle } from './table/cell.js'
import { valueAt } from './columns/value-at.js'
import type { ResourceColumns } from './columns/resources.js'
import { shortHeader } from './columns/headers.js'
import { columnsOfRows, groupFields, groupRows, type Field, type Group, type RowGroup } from './record-groups.js'
import { stripControlsFromLine } from './sanitize.js'
import { fullTime, isDateTime, localZone, relativeTime } from './time.js'
import { renderTable } from './table/table.js'
import { widthOf, wrapWords } from './table/width.js'

interface RecordStyle extends CellStyle {
  width: number
}

/** `columns` selects fields and their order; without it, all fields with a value are shown. */
export async function renderRecord(
  item: unknown,
  kind: Pick<ResourceColumns, 'table' | 'dates'>,
  style: RecordStyle,
  columns?: readonly string[],
): Promise<string> {
  const groups = columns
    ? [{ fields: columns.map((column): Field => [column, valueAt(item, column)]) }]
    : groupFields(item, kind.table)
  const parts = (await Promise.all(groups.map((group) => layOutGroup(group, style)))).flat()
  const firstTime = parts
    .flatMap((part) => ('fields' in part ? part.fields : []))
    .find(([, value]) => isDateTime(value))
  const lines = parts.map((part) =>
    'table' in part
      ? part
      : {
          title: part.title,
          fields: part.fields.map((field) =>
            renderField(field, { ...style, isDate: kind.dates?.includes(field[0]) ?? false }, field === firstTime),
          ),
        },
  )
  const labels = lines.flatMap((part) => ('fields' in part ? part.fields.map(([label]) => widthOf(label)) : []))
  const labelWidth = Math.max(0, ...labels)
  const texts = lines.map((part) => [
    ...(part.title === undefined ? [] : [style.paint.bold(stripControlsFromLine(part.title))]),
    ...('table' in part ? [part.table] : part.fields.flatMap((field) => layOutField(field, labelWidth, style))),
  ])
  return `${texts.map((part) => part.join('\n')).join('\n\n')}\n`
}

/** A list of objects is a table, if that fits without leaving anything out. */
async function layOutGroup(
  group: Group | RowGroup,
  style: RecordStyle,
): Promise<(Group | { title: string; table: string })[]> {
  if ('fields' in group) return [group]
  const columns = columnsOfRows(group)
  // The table does not sanitize its headers.
  if (!columns?.length || !columns.every((column) => /^\w+$/.test(column))) return groupRows(group)
  const rows = group.rows.map((row) => columns.map((column) => formatCell(column, valueAt(row, column), style)))
  const tableStyle = { width: Infinity, header: true, bold: style.paint.dim }
  const table = (await renderTable(columns, rows, tableStyle)).trimEnd()
  const fits = table.split('\n').every((line) => widthOf(line) <= style.width)
  return fits ? [{ title: group.title, table }] : groupRows(group)
}

/** The label, and the value next to it. A long word without spaces, such as an id, is whole on the next line. */
function layOutField([label, value]: readonly [string, string], labelWidth: number, style: RecordStyle): string[] {
  const room = style.width - labelWidth - gap
  const padded = style.paint.dim(label + ' '.repeat(labelWidth - widthOf(label)))
  if (widthOf(value) <= room) return [`${padded}${' '.repeat(gap)}${value}`]
  if (room < narrowestValue || value.split(' ').some((word) => widthOf(word) > room)) {
    const below = wrapWords(value, style.width - gap).map((line) => ' '.repeat(gap) + line)
    return [style.paint.dim(label), ...below]
  }
  const [first = '', ...rest] = wrapWords(value, room)
  return [`${padded}${' '.repeat(gap)}${first}`, ...rest.map((line) => ' '.repeat(labelWidth + gap) + line)]
}

const gap = 2
const narrowestValue = 10

/** The zone is named only with the first time. */
function renderField([name, value, given]: Field, style: CellStyle, withZone: boolean): [label: string, text: string] {
  const label = stripControlsFromLine(given ?? shortHeader(name))
  if (isDateTime(value)) {
    const zone = withZone && !style.utc ? ` ${localZone()}` : ''
    if (style.isDate) return [label, `${fullTime(value, style)}${zone}`]
    const distance = relativeTime(Date.parse(value), style.now)
    return [label, `${fullTime(value, style)}${zone} ${style.paint.dim(`(${distance})`)}`]
  }
  const cell = formatCell(name, value, style)
  return [label, cell.paint?.(cell.text) ?? cell.text]
}
