/** Matches columns of a file to fields by name, by common alias, or by `--map`. */
import {
  columnsOf,
  isVagueName,
  nameGroup,
  nameRank,
  normalizeHeader,
  personHeaders,
  phoneRank,
  plainField,
} from './combined-columns.js'
import { fieldsPerLead } from '../../../contract/limits.js'
import { parsePhone } from '../../../phone/number.js'
import { nearestWord } from '../../errors/suggest.js'
import { UsageError } from '../../errors/usage-error.js'

export interface Field {
  /** Field name in the API; a dot separates nested fields. */
  name: string
  /** Aliases, in lower case without spaces, dashes and underscores. */
  also: readonly string[]
  /** Other aliases, the preferred one first. One of them is enough, if there is no column of `also`. */
  ranked?: readonly string[]
  /** Names of its parts for `--map`, in the order in which their values are joined. */
  parts?: readonly string[]
}

export interface Matching {
  /** Field of each column; undefined if it has none. */
  fields: readonly (string | undefined)[]
  /** Unmatched columns, each with a suggestion if there is one. */
  ignored: readonly { column: string; hint: string | undefined }[]
}

export interface Asking {
  /** Name of the file in messages. */
  file: string
  known: readonly Field[]
  /** Field that every row needs. */
  required: string
  /** Values of `--map`, such as `First Name=name`. */
  maps: readonly string[]
  /** True if unmatched columns become custom fields. */
  fieldsFromRest: boolean
  /**
   * Columns with phone numbers. If given, these and every column with the header of a phone are used together, not the preferred
   * one: a person who may not be called has several numbers.
   */
  everyPhone?: ReadonlySet<number>
}

/** Columns that an import adds to a file of refused rows. They are ignored when that file is imported. */
export const failedFileColumns = ['_line', '_code', '_message']

const custom = 'fields.'

/** Throws `UsageError` if a match is ambiguous, or if no column is the required field. */
export function matchColumns(columns: readonly string[], asking: Asking): Matching {
  const matcher = new Matcher(columns, asking)
  matcher.checkHeader()
  matcher.asSaid()
  if (asking.everyPhone) matcher.takeEveryPhone()
  else matcher.combinePhones()
  matcher.preferPersonName()
  matcher.byName()
  matcher.byCommonName()
  matcher.combineNames()
  const ignored = matcher.rest()
  matcher.checkRequired()
  matcher.checkCustom()
  return { fields: matcher.fields, ignored }
}

/** Describes the ignored columns. */
export function listIgnored({ ignored }: Matching): string {
  const names = ignored.map(({ column, hint }) => (hint === undefined ? column : `${column} (did you mean ${hint}?)`))
  return `Ignored ${names.length === 1 ? 'column' : 'columns'}: ${names.join(', ')}.`
}

/** No column has a known header for the required field, or several have one. */
export class MissingColumnError extends UsageError {}

class Matcher {
  readonly fields: (string | undefined)[]
  readonly #columns: readonly string[]
  readonly #asking: Asking
  /** Columns that match the same field, so that none of them is used. */
  readonly #doubtful = new Map<string, string[]>()
  /** Columns that `--map "Column="` leaves out. */
  readonly #leftOut = new Set<number>()

  constructor(columns: readonly string[], asking: Asking) {
    this.#columns = columns
    this.#asking = asking
    this.fields = columns.map(() => undefined)
  }

  /** A first row with a number is a person, who would be lost. */
  checkHeader(): void {
    const number = this.#columns.find((column) => parsePhone(column).kind !== 'invalid')
    if (number === undefined) return
    throw new UsageError(
      `The first row of ${this.#asking.file} looks like a lead, not like the names of the columns: ${number}.`,
      'Add a first row that names the columns, such as: name,phone',
    )
  }

  /** The last one for a column counts. Several columns of the phone are used together, in the order in which they were given. */
  asSaid(): void {
    const said = new Map<number, string>()
    for (const map of this.#asking.maps) {
      // A column name may contain an equals sign, a field name cannot.
      const at = map.lastIndexOf('=')
      if (at < 1) throw new UsageError(`--map ${map} is not a pair.`, 'Use a form like --map "First Name=name".')
      const column = this.#columnSaid(map.slice(0, at))
      said.delete(column)
      said.set(column, map.slice(at + 1))
    }
    for (const [column, field] of said) {
      if (field === '') this.#leftOut.add(column)
      else this.#assign(column, this.#fieldSaid(field))
    }
  }

  #columnSaid(name: string): number {
    const exact = this.#columns.indexOf(name.trim())
    if (exact >= 0) return exact
    const like = this.#free((column) => normalizeHeader(column) === normalizeHeader(name))
    if (like.length === 1) return like[0] ?? 0
    const near = nearestWord(name, this.#columns)
    throw new UsageError(
      `${this.#asking.file} has no column "${name}" to map.`,
      near === undefined ? `Its columns are: ${this.#columns.join(', ')}.` : `Did you mean "${near}"?`,
    )
  }

  #fieldSaid(name: string): string {
    const names = this.#asking.known.flatMap((field) => [field.name, ...(field.parts ?? [])])
    for (const field of this.#asking.known) {
      const part = field.parts?.indexOf(name) ?? -1
      if (part >= 0) return `${field.name}#${part + 1}`
    }
    const takesCustom = names.some((known) => known !== this.#asking.required)
    if (names.includes(name) || (takesCustom && name.startsWith(custom) && name.length > custom.length)) return name
    const near = nearestWord(name, names)
    const all = [...names, ...(takesCustom ? [`${custom}<name>`] : [])].join(', ')
    throw new UsageError(
      `There is no field "${name}" to map to.`,
      near === undefined ? `The fields are: ${all}.` : `Did you mean ${near}?`,
    )
  }

  /** Every column with the header of a phone, in the order of the file, unless --map names columns. */
  takeEveryPhone(): void {
    if (columnsOf(this.fields, 'phone').length > 0) return
    const { everyPhone } = this.#asking
    const isPhone = (at: number) => everyPhone?.has(at) || phoneRank(normalizeHeader(this.#columns[at] ?? '')) >= 0
    const found = this.#free(() => true).filter(isPhone)
    for (const [nth, at] of found.entries()) this.fields[at] = found.length === 1 ? 'phone' : `phone#${nth + 1}`
  }

  /** Several phone columns are used together, the first one that has a value in the row. */
  combinePhones(): void {
    this.#combine('phone', phoneRank)
  }

  /**
   * Columns that name a person, before a column `Name`: next to them, that is often the company. The field's own name
   * `name` comes first. A column such as `Company` or `Account Name` is never the name.
   */
  preferPersonName(): void {
    if (this.#asking.known.length === 1 || this.#columns.includes('name')) return
    if (columnsOf(this.fields, 'name').length > 0) return
    for (const header of personHeaders) {
      const [found, ...others] = this.#free((column) => normalizeHeader(column) === header)
      if (found === undefined || others.length > 0) continue
      this.fields[found] = 'name'
      return
    }
    const parts = this.#free((column) => nameRank(normalizeHeader(column)) >= 0)
    const groups = new Set(parts.map((at) => nameGroup(normalizeHeader(this.#columns[at] ?? ''))))
    if (groups.size > 1) this.#combine('name', nameRank)
  }

  /** First and last name together are the name, if no column is the whole name. A part that `--map` names takes the other one. */
  combineNames(): void {
    if (this.#doubtful.has('name')) return
    if (columnsOf(this.fields, 'name').length === 0) return this.#combine('name', nameRank)
    if (this.fields.includes('name')) return
    for (const part of [1, 2]) {
      const found = this.#free((column) => nameGroup(normalizeHeader(column)) === part)
      if (!this.fields.includes(`name#${part}`) && found.length === 1) this.fields[found[0] ?? 0] = `name#${part}`
    }
  }

  /** Only for files of leads. Columns of one header stay doubtful. */
  #combine(field: string, rank: (header: string) => number): void {
    if (this.#asking.known.length === 1 || columnsOf(this.fields, field).length > 0) return
    const headerOf = (at: number) => normalizeHeader(this.#columns[at] ?? '')
    const all = this.#free((column) => rank(normalizeHeader(column)) >= 0)
      .map((at) => ({ at, rank: rank(headerOf(at)) }))
      .sort((a, b) => a.rank - b.rank)
    if (new Set(all.map((one) => one.rank)).size < all.length) return
    const isFirstOfGroup = ({ at }: { at: number }, nth: number) =>
      nth === 0 || nameGroup(headerOf(at)) !== nameGroup(headerOf(all[nth - 1]?.at ?? 0))
    // A part of a name is taken once: "Last" next to "Last Name" is something else.
    const ranked = field === 'name' ? all.filter(isFirstOfGroup) : all
    const [only] = ranked
    if (only && ranked.length === 1 && field === 'name' && !isVagueName(headerOf(only.at))) this.fields[only.at] = field
    if (ranked.length > 1) for (const [nth, { at }] of ranked.entries()) this.fields[at] = `${field}#${nth + 1}`
  }

  byName(): void {
    for (const { name } of this.#asking.known) {
      if (columnsOf(this.fields, name).length > 0) continue
      const found = this.#free((column) => normalizeHeader(column) === normalizeHeader(name))
      if (found.length > 1 && !this.fields.includes(name)) throw this.#twice(name, found)
      if (found[0] !== undefined && !this.fields.includes(name)) this.#assign(found[0], name)
    }
    if (this.#asking.known.length === 1) return
    for (const at of this.#free((column) => column.startsWith(custom) && column.length > custom.length))
      this.#assign(at, this.#columns[at] ?? '')
  }

  byCommonName(): void {
    for (const { name, also, ranked = [] } of this.#asking.known) {
      if (columnsOf(this.fields, name).length > 0) continue
      const found = this.#free((column) => also.includes(normalizeHeader(column)))
      if (found.length > 1) this.#doubtful.set(name, this.#names(found))
      if (found.length > 1) continue
      const preferred = ranked.map((header) => this.#free((column) => normalizeHeader(column) === header))
      const [at] = found.length > 0 ? found : (preferred.find((columns) => columns.length > 0) ?? [])
      if (at !== undefined) this.#assign(at, name)
    }
  }

  /** Makes the remaining columns custom fields if requested, else ignores them. */
  rest(): Matching['ignored'] {
    const left = this.#free((column) => !failedFileColumns.includes(column))
    if (!this.#asking.fieldsFromRest) return left.map((at) => this.#ignored(at))
    const named = left.filter((at) => this.#columns[at] !== '')
    for (const at of named) this.#assign(at, custom + (this.#columns[at] ?? ''))
    return left.filter((at) => !named.includes(at)).map((at) => this.#ignored(at))
  }

  #ignored(at: number): Matching['ignored'][number] {
    const column = this.#columns[at] ?? ''
    if (column === '') return { column: `column ${at + 1}, which has no name`, hint: undefined }
    const doubt = [...this.#doubtful].find(([, columns]) => columns.includes(column))?.[0]
    const missing = this.#asking.known
      .map(({ name }) => name)
      .filter((name) => columnsOf(this.fields, name).length === 0)
    const near = doubt ?? nearestWord(normalizeHeader(column), missing)
    return { column, hint: near === undefined ? undefined : `--map "${column}=${near}"` }
  }

  checkRequired(): void {
    const { required, file } = this.#asking
    if (columnsOf(this.fields, required).length > 0) return
    const doubtful = this.#doubtful.get(required)
    if (doubtful) {
      throw new MissingColumnError(
        `Several columns of ${file} could be the ${required}: ${doubtful.join(', ')}.`,
        `Say which: --map "${doubtful[0] ?? ''}=${required}".`,
      )
    }
    const near = nearestWord(
      required,
      this.#columns.filter((_column, at) => this.fields[at] === undefined),
    )
    throw new MissingColumnError(
      `No column of ${file} is called ${required}. Its columns are: ${this.#columns.join(', ')}.`,
      near === undefined
        ? `The first line names the columns; say which is the ${required}: --map "<column>=${required}".`
        : `Did you mean --map "${near}=${required}"?`,
    )
  }

  /** Above the limit, every row would be refused (rule L6). */
  checkCustom(): void {
    const names = this.fields.filter((field) => field?.startsWith(custom))
    if (names.length <= fieldsPerLead) return
    throw new UsageError(
      `${names.length} columns would become custom fields; a lead has ${fieldsPerLead} at most.`,
      'Leave --fields-from-rest out and name those that matter: --map "<column>=fields.<name>".',
    )
  }

  #assign(at: number, field: string): void {
    const plain = plainField(field)
    const others = columnsOf(this.fields, plain).filter((one) => one !== at)
    // Several phone columns fill one field. Parts of a name do, too, but not together with a whole name.
    if (others.length > 0 && field === this.#asking.required) {
      this.fields[at] = `${field}#${others.length + 1}`
      return
    }
    const other = others.find((one) => field === plain || [plain, field].includes(this.fields[one] ?? ''))
    if (other !== undefined) throw this.#twice(plain, [other, at])
    this.fields[at] = field
  }

  #twice(field: string, at: readonly number[]): UsageError {
    const names = this.#names(at)
    const parts = this.#asking.known.find(({ name }) => name === field)?.parts
    const inOrder = names.toSorted((a, b) => nameGroup(normalizeHeader(a)) - nameGroup(normalizeHeader(b)))
    const joined = parts?.map((part, nth) => `--map "${inOrder[nth] ?? ''}=${part}"`).join(' ')
    const isSameName = new Set(names.map(normalizeHeader)).size === 1
    const other = joined === undefined || isSameName ? 'give them other names' : `join them: ${joined}`
    return new UsageError(
      `Two columns of ${this.#asking.file} are the ${field}: ${names.join(', ')}.`,
      `Say which: --map "${names[0] ?? ''}=${field}", or ${other}.`,
    )
  }

  /** Columns without a field that pass a test. */
  #free(like: (column: string) => boolean): number[] {
    return [...this.#columns.keys()].filter(
      (at) => this.fields[at] === undefined && !this.#leftOut.has(at) && like(this.#columns[at] ?? ''),
    )
  }

  #names(at: readonly number[]): string[] {
    return at.map((one) => this.#columns[one] ?? '')
  }
}
