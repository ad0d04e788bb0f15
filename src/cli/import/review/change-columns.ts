/** Questions that correct which column becomes which field. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import type { MissingValue } from '../../input/questions/prompt-for-missing.js'
import type { Choice } from '../../input/questions/questions.js'
import { columnsOf, plainField } from '../source/combined-columns.js'
import { failedFileColumns, type Field } from '../source/columns.js'
import { fieldInWords } from '../source/field-words.js'
import type { Table } from '../source/table.js'

type Ask = (...needs: MissingValue[]) => Promise<string[]>

const sampleWidth = 30

const goBack = 'back'
/** Between several values of `--map` in one answer. */
const mapEnd = '\u0000'

/** Asks which column becomes which field, in plain words. Both questions have a way back. */
export class ColumnQuestions {
  readonly #ask: Ask
  readonly #table: Pick<Table, 'columns' | 'rows'>

  constructor(ask: Ask, table: Pick<Table, 'columns' | 'rows'>) {
    this.#ask = ask
    this.#table = table
  }

  /** Asks for a column by name. Undefined if the person goes on. `isChanged` is true after a correction. */
  async askForColumn(fields: readonly (string | undefined)[], isChanged: boolean): Promise<string | undefined> {
    const isNow = (at: number) => (fields[at] === undefined ? 'ignored' : fieldInWords(plainField(fields[at])))
    const named = await columnChoices(this.#table, isNow)
    const goOn = { name: isChanged ? 'no more, go on' : 'none, go back', value: goBack }
    // Answers are hidden from the command line to repeat: a later one may replace them.
    const [picked = ''] = await this.#ask({
      ...{ flag: '--map', label: isChanged ? 'Next column to correct' : 'Column to correct', value: undefined },
      hidden: true,
      // After a correction, the Enter key goes on.
      choices: () => Promise.resolve(isChanged ? [goOn, ...named] : [...named, goOn]),
    })
    return picked === goBack ? undefined : (this.#table.columns[Number(picked)] ?? '')
  }

  /** Asks for the field of a column. Returns values of `--map`; undefined if the person goes back to the columns. */
  async askForField(
    column: string,
    known: readonly Field[],
    fields: readonly (string | undefined)[],
  ): Promise<string[] | undefined> {
    const phones = columnsOf(fields, 'phone').map((at) => this.#table.columns[at] ?? '')
    const choices = known.flatMap((field) => fieldChoices(column, field, phones))
    const isUsual = ({ keys: [key = ''] = [] }: Choice) => /^(phone|name|first_name|last_name)$/.test(key)
    // The list shows a dozen; phone, name and the way back come first.
    const [maps = ''] = await this.#ask({
      ...{ flag: '--map', label: `${column} is`, value: undefined, hidden: true },
      choices: () =>
        Promise.resolve([
          ...choices.filter(isUsual),
          { name: `a custom field ${column}`, value: `${column}=fields.${column}` },
          { name: 'nothing (ignore this column)', value: `${column}=` },
          { name: 'back to the columns', value: goBack },
          ...choices.filter((choice) => !isUsual(choice)),
        ]),
    })
    return maps === goBack ? undefined : maps.split(mapEnd)
  }
}

/** What a column can become with a field: with the parts of it, and together with the columns that are the phone now. */
function fieldChoices(column: string, { name, parts = [] }: Field, phones: readonly string[]): Choice[] {
  const choiceOf = (field: string): Choice => ({
    name: fieldInWords(field),
    value: `${column}=${field}`,
    keys: [field],
  })
  const others = phones.filter((other) => other !== column)
  if (name !== 'phone' || others.length === 0) return [name, ...parts].map(choiceOf)
  const [all, mapsOf] = [
    others.join(', else '),
    (columns: string[]) => columns.map((one) => `${one}=phone`).join(mapEnd),
  ]
  return [
    { name: `phone, instead of ${all}`, value: `${column}=phone`, keys: ['phone'] },
    { name: `phone, else ${all}`, value: mapsOf([column, ...others]), keys: ['phone'] },
    { name: `phone, where ${all} has none`, value: mapsOf([...others, column]), keys: ['phone'] },
  ]
}

/** Asks which columns have phone numbers. Returns the values of `--map`. */
export async function askForPhones(
  ask: Ask,
  table: Pick<Table, 'columns' | 'rows'>,
  phones: readonly number[],
): Promise<string[]> {
  const named = await columnChoices(table, (at) => (phones.includes(at) ? 'phone' : 'ignored'))
  const [picked = ''] = await ask({
    ...{ flag: '--map', label: 'Columns with phone numbers', value: undefined, hidden: true, many: true },
    choices: () => Promise.resolve(named.map((one) => ({ ...one, isPicked: phones.includes(Number(one.value)) }))),
  })
  return picked.split(',').map((at) => `${table.columns[Number(at)] ?? ''}=phone`)
}

/** True if the file has another column to take. */
export const hasOtherColumns = ({ columns }: Pick<Table, 'columns'>): boolean => nameable(columns).length > 1

/** Columns that `--map` can name: the first one of each name. Not those that an import added to a file of refused rows. */
const nameable = (columns: readonly string[]): number[] =>
  [...columns.keys()].filter((at) => {
    const name = columns[at] ?? ''
    return name !== '' && !failedFileColumns.includes(name) && columns.indexOf(name) === at
  })

/** The columns by index, with what each is now and its first value. */
async function columnChoices({ columns, rows }: Pick<Table, 'columns' | 'rows'>, isNow: (at: number) => string) {
  const samples = await firstValues(columns, rows())
  return nameable(columns).map((at): Choice => {
    const [name = '', sample = ''] = [columns[at], samples[at]]
    const shown = `${name} (${isNow(at)}${sample === '' ? '' : `, such as ${sample}`})`
    return { name: shown, value: String(at), keys: [name] }
  })
}

/** The maps with other ones, which replace those of the same columns and of the same fields. A name replaces its parts. */
export function replaceMaps(maps: readonly string[], changes: readonly string[], known: readonly Field[]): string[] {
  const columns = changes.map((map) => partsOf(map)[0])
  const fields = changes.map((map) => partsOf(map)[1]).filter((field) => field !== '')
  const replaced = known.flatMap(({ name, parts = [] }) => {
    if (fields.includes(name)) return [name, ...parts]
    return parts.some((part) => fields.includes(part)) ? [name] : []
  })
  const isKept = (map: string) => {
    const [column, field] = partsOf(map)
    return !columns.includes(column) && !fields.includes(field) && !replaced.includes(field)
  }
  return [...maps.filter(isKept), ...changes]
}

/**
 * The maps to add to a command line with `given` so that it means `used`. A column that is no longer mapped becomes `Column=`.
 * Several columns of one field are repeated, because their order counts.
 */
export function correctionsOf(given: readonly string[], used: readonly string[]): string[] {
  const fieldOf = (map: string) => partsOf(map)[1]
  const isShared = (map: string) =>
    fieldOf(map) !== '' && used.some((one) => one !== map && fieldOf(one) === fieldOf(map))
  const isSame = given.length === used.length && given.every((map, at) => used[at] === map)
  const columns = used.map((map) => partsOf(map)[0])
  const dropped = given.map((map) => partsOf(map)[0]).filter((column) => !columns.includes(column))
  const added = used.filter((map) => !given.includes(map) || isShared(map))
  return isSame ? [] : [...added, ...dropped.map((column) => `${column}=`)]
}

/** Says which other columns have another field after a correction of one column, so that nothing is dropped without a word. */
export function describeChanges(
  columns: readonly string[],
  corrected: string,
  before: readonly (string | undefined)[],
  after: readonly (string | undefined)[],
): string[] {
  const plain = (field: string | undefined) => field && plainField(field)
  return [...columns.keys()]
    .filter((at) => columns[at] !== corrected && plain(before[at]) !== plain(after[at]))
    .map((at) => {
      const now = after[at] === undefined ? 'ignored' : fieldInWords(plainField(after[at]))
      return `The column ${columns[at] ?? ''} is ${now} now.`
    })
}

function partsOf(map: string): [column: string, field: string] {
  const at = map.lastIndexOf('=')
  return [map.slice(0, at), map.slice(at + 1)]
}

async function firstValues(columns: readonly string[], rows: AsyncIterable<{ values: readonly string[] }>) {
  const samples = columns.map(() => '')
  for await (const { values } of rows) {
    for (const [at, sample] of samples.entries())
      if (sample === '') samples[at] = cutTo(sampleWidth, stripControlsFromLine((values[at] ?? '').trim()))
    if (samples.every((sample) => sample !== '')) break
  }
  return samples
}
