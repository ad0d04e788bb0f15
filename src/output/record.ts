/** Renders one object in labelled groups: what matters first, then nested objects, times and ids. Leaves out empty values. */
import { formatCell, type CellStyle } from './table/cell.js'
import { valueAt } from './columns/columns.js'
import type { ResourceColumns } from './columns/resources.js'
import { shortHeader } from './columns/headers.js'
import { plainText } from './flatten.js'
import { formatHours, isCallingHours } from './hours.js'
import { stripControlsFromLine } from './sanitize.js'
import { fullTime, isDateTime, localZone, relativeTime } from './time.js'
import { widthOf, wrapWords } from './table/width.js'

type Field = readonly [name: string, value: unknown, label?: string]

/** Objects whose keys are data and are shown unchanged. */
const usersNames: ReadonlySet<string> = new Set(['fields', 'by_code', 'labels'])

/** Objects with more fields are shown in groups. */
const groupedFrom = 8

interface Group {
  title?: string
  fields: readonly Field[]
}

/** `columns` selects fields and their order; without it, all fields with a value are shown. */
export function renderRecord(
  item: unknown,
  kind: Pick<ResourceColumns, 'table' | 'dates'>,
  style: CellStyle & { width?: number },
  columns?: readonly string[],
): string {
  const groups: Group[] = columns
    ? [{ fields: columns.map((column) => [column, valueAt(item, column)] as const) }]
    : groupFields(item, kind.table).filter(({ fields }) => fields.length > 0)
  const firstTime = groups.flatMap(({ fields }) => fields).find(([, value]) => isDateTime(value))
  const lines = groups.map(({ title, fields }) => ({
    title,
    fields: fields.map((field) =>
      renderField(field, { ...style, isDate: kind.dates?.includes(field[0]) ?? false }, field === firstTime),
    ),
  }))
  const width = Math.max(0, ...lines.flatMap(({ fields }) => fields.map(([label]) => widthOf(label))))
  const texts = lines.map(({ title, fields }) =>
    [
      ...(title === undefined ? [] : [style.paint.bold(stripControlsFromLine(title))]),
      ...fields.map(([label, value]) => {
        const lines = wrapValue(value, (style.width ?? Infinity) - width - 2)
        return `${style.paint.dim(label + ' '.repeat(width - widthOf(label)))}  ${lines.join(`\n${' '.repeat(width + 2)}`)}`
      }),
    ].join('\n'),
  )
  return `${texts.join('\n\n')}\n`
}

/** Breaks a value between words. A value without spaces, such as a link, stays whole, so that it can be copied. */
const wrapValue = (value: string, room: number): string[] =>
  widthOf(value) <= room || room < narrowestValue ? [value] : wrapWords(value, room)

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

function groupFields(item: unknown, first: readonly string[]): Group[] {
  if (typeof item !== 'object' || item === null) return [{ fields: [['value', item]] }]
  if (Array.isArray(item)) return item.map((one, at) => ({ title: String(at + 1), fields: flatten('', one) }))
  const all = Object.entries(item).filter(([, value]) => !isEmpty(value))
  const order = (name: string) => {
    const at = first.indexOf(name)
    return at < 0 ? first.length : at
  }
  const plain = all.filter(([, value]) => isPlain(value)).sort(([a], [b]) => order(a) - order(b))
  const nested = all.filter(([, value]) => !isPlain(value))
  const isTime = ([name, value]: Field) => isDateTime(value) && name !== first[0]
  const isId = ([name]: Field) => /(^|_)ids?$/.test(name)
  if (nested.length === 0 && plain.length <= groupedFrom) {
    const rank = (field: Field) => (isTime(field) ? 1 : 0) + (isId(field) ? 2 : 0)
    return [{ fields: plain.sort((a, b) => rank(a) - rank(b)).map(hoursAsText) }]
  }
  return [
    { fields: plain.filter((field) => !isTime(field) && !isId(field)).map(hoursAsText) },
    ...nested.flatMap(([name, value]) => nestedGroups(name, value)),
    { title: 'Times', fields: plain.filter(isTime) },
    { title: 'IDs', fields: plain.filter((field) => isId(field) && !isTime(field)) },
  ]
}

function nestedGroups(name: string, value: unknown): Group[] {
  const title = shortHeader(name)
  if (!Array.isArray(value)) {
    const fields = flatten('', value)
    return [{ title, fields: usersNames.has(name) ? fields.map(([key, part]) => [key, part, key] as const) : fields }]
  }
  return value.map((one, at) => ({ title: `${title} ${at + 1}`, fields: flatten('', one) }))
}

/** Fields of nested objects, by dotted names. */
function flatten(name: string, value: unknown): Field[] {
  if (isEmpty(value)) return []
  if (typeof value !== 'object' || value === null || isPlain(value)) return [hoursAsText([name || 'value', value])]
  if (Array.isArray(value)) return [[name || 'value', value.map(plainText).join('; ')]]
  return Object.entries(value).flatMap(([key, part]) => flatten(name ? `${name}.${key}` : key, part))
}

/** True if a value is one line: not an object, and no list of objects. */
function isPlain(value: unknown): boolean {
  if (isCallingHours(value)) return true
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object')
  return typeof value !== 'object'
}

const hoursAsText = ([name, value]: Field): Field => [name, isCallingHours(value) ? formatHours(value) : value]

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return (
    typeof value === 'object' && Object.values(value).every((part) => (Array.isArray(value) ? false : isEmpty(part)))
  )
}
