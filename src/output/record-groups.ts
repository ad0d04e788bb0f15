/** Groups the fields of one object for people: what matters first, then nested objects, times and ids. */
import { shortHeader } from './columns/headers.js'
import { plainText } from './flatten.js'
import { formatHours, isCallingHours } from './hours.js'
import { isDateTime } from './time.js'

export type Field = readonly [name: string, value: unknown, label?: string]

type Row = Readonly<Record<string, unknown>>

export interface Group {
  title?: string | undefined
  fields: readonly Field[]
}

/** A list of objects: a table if it fits, else one group for each. */
export interface RowGroup {
  title: string
  rows: readonly Row[]
}

/** Objects whose keys are data and are shown unchanged. */
const usersNames: ReadonlySet<string> = new Set(['fields', 'by_code', 'labels'])

/** Objects with more fields are shown in groups. */
const groupedFrom = 8

/** Fields of an object that only says who or what is meant, such as the lead of a call or the owner of a lead. */
const referenceFields: ReadonlySet<string> = new Set([
  'id',
  'external_id',
  'api_key_id',
  'name',
  'phone',
  'role',
  'type',
])

/** What matters first in the lead or the call of an event. */
const firstOfSubject = ['phone', 'lead.phone', 'name', 'lead.name', 'status', 'outcome', 'last_outcome']

/** `first` names the fields that matter most, in their order. */
export function groupFields(item: unknown, first: readonly string[]): (Group | RowGroup)[] {
  if (Array.isArray(item)) return item.map((one, at) => ({ title: String(at + 1), fields: flatten('', one) }))
  if (!isObject(item)) return [{ fields: [['value', item]] }]
  const { data } = item
  return isObject(data) && isObject(data['object']) ? groupEvent(item, data, first) : groupObject(item, first)
}

/** An event is the envelope, its lead or call under its own name, and the facts that belong to the type. */
function groupEvent(event: Row, data: Row, first: readonly string[]): (Group | RowGroup)[] {
  const { data: _data, ...envelope } = event
  const { object: subject, ...facts } = data
  const { object: kind, ...fields } = subject as Row
  const [own, ...others] = groupObject(fields, firstOfSubject)
  const title = shortHeader(typeof kind === 'string' ? kind : 'object')
  return [...groupObject(envelope, first), ...(own ? [{ ...own, title }] : []), ...groupObject(facts, []), ...others]
}

function groupObject(item: Row, first: readonly string[]): (Group | RowGroup)[] {
  const order = ([name]: Field) => {
    const at = first.indexOf(name)
    return at < 0 ? first.length : at
  }
  const all = Object.entries(item).filter(([, value]) => !isEmpty(value))
  const plain = all
    .flatMap(([name, value]): Field[] => (isReference(value) ? liftReference(name, value) : [[name, value]]))
    .filter(([, value]) => isPlain(value))
    .sort((a, b) => order(a) - order(b))
  const nested = all.filter(([, value]) => !isPlain(value) && !isReference(value))
  const isTime = ([name, value]: Field) => isDateTime(value) && name !== first[0]
  const isId = ([name]: Field) => /(^|[_.])ids?$/.test(name)
  if (nested.length === 0 && plain.length <= groupedFrom) {
    const rank = (field: Field) => (isTime(field) ? 1 : 0) + (isId(field) ? 2 : 0)
    return plain.length === 0 ? [] : [{ fields: plain.sort((a, b) => rank(a) - rank(b)).map(hoursAsText) }]
  }
  const groups = [
    { fields: plain.filter((field) => !isTime(field) && !isId(field)).map(hoursAsText) },
    ...nested.flatMap(([name, value]) => groupNested(name, value)),
    { title: 'Times', fields: plain.filter(isTime) },
    { title: 'IDs', fields: plain.filter((field) => isId(field) && !isTime(field)) },
  ]
  return groups.filter((group) => 'rows' in group || group.fields.length > 0)
}

const isReference = (value: unknown): value is Row =>
  isObject(value) && Object.keys(value).every((name) => referenceFields.has(name))

/** "Handled by: Dana Reyes (sdr)" instead of a group. A phone and ids keep their own fields. */
function liftReference(name: string, { name: called, role, type, ...others }: Row): Field[] {
  const kind = isEmpty(called) ? undefined : (role ?? type)
  const who = `${plainText(called ?? type)}${isEmpty(kind) ? '' : ` (${plainText(kind)})`}`
  const fields = Object.entries(others).map(([key, part]) => [`${name}.${key}`, part] as const)
  return [[`${name}.name`, who] as const, ...fields].filter(([, part]) => !isEmpty(part))
}

function groupNested(name: string, value: unknown): (Group | RowGroup)[] {
  const title = shortHeader(name)
  if (Array.isArray(value)) return [{ title, rows: value as Row[] }]
  const fields = flatten('', value)
  return [{ title, fields: usersNames.has(name) ? fields.map(([key, part]) => [key, part, key] as const) : fields }]
}

/** One group for each object of a list. */
export const groupRows = ({ title, rows }: RowGroup): Group[] =>
  rows.map((one, at) => ({ title: `${title} ${at + 1}`, fields: flatten('', one) }))

/** The columns of a table of the objects, ids last; undefined if an object has parts of its own. */
export function columnsOfRows({ rows }: RowGroup): string[] | undefined {
  const names = new Set<string>()
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      if (isEmpty(value)) continue
      if (!isPlain(value) || isCallingHours(value)) return undefined
      names.add(name)
    }
  return [...names].sort((a, b) => Number(a === 'id') - Number(b === 'id'))
}

/** Fields of nested objects, by dotted names. */
function flatten(name: string, value: unknown): Field[] {
  if (isEmpty(value)) return []
  if (typeof value !== 'object' || value === null || isPlain(value)) return [hoursAsText([name || 'value', value])]
  if (Array.isArray(value)) return [[name || 'value', value.map(plainText).join('; ')]]
  return Object.entries(value).flatMap(([key, part]) => flatten(name ? `${name}.${key}` : key, part))
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

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
