/** Questions that correct which column becomes which field. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import type { MissingValue } from '../../input/questions/prompt-for-missing.js'
import type { Choice } from '../../input/questions/questions.js'
import { plainField } from '../source/combined-columns.js'
import type { Field } from '../source/columns.js'
import { fieldInWords } from '../source/field-words.js'
import type { Table } from '../source/table.js'

type Ask = (...needs: MissingValue[]) => Promise<string[]>

const sampleWidth = 30

const goBack = 'back'

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

  /** Asks for the field of a column. Returns the value of `--map`; undefined if the person goes back to the columns. */
  async askForField(column: string, known: readonly Field[]): Promise<string | undefined> {
    const choices = known.map(({ name }): Choice => ({
      name: fieldInWords(name),
      value: `${column}=${name}`,
      keys: [name],
    }))
    // The list shows a dozen; phone, name and the way back come first.
    const [map = ''] = await this.#ask({
      ...{ flag: '--map', label: `${column} is`, value: undefined, hidden: true },
      choices: () =>
        Promise.resolve([
          ...choices.slice(0, 2),
          { name: `a custom field ${column}`, value: `${column}=fields.${column}` },
          { name: 'nothing (ignore this column)', value: `${column}=` },
          { name: 'back to the columns', value: goBack },
          ...choices.slice(2),
        ]),
    })
    return map === goBack ? undefined : map
  }
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

/** Columns that `--map` can name: the first one of each name. */
const nameable = (columns: readonly string[]): number[] =>
  [...columns.keys()].filter((at) => columns[at] !== '' && columns.indexOf(columns[at] ?? '') === at)

/** The columns by index, with what each is now and its first value. */
async function columnChoices({ columns, rows }: Pick<Table, 'columns' | 'rows'>, isNow: (at: number) => string) {
  const samples = await firstValues(columns, rows())
  return nameable(columns).map((at): Choice => {
    const [name = '', sample = ''] = [columns[at], samples[at]]
    const shown = `${name} (${isNow(at)}${sample === '' ? '' : `, such as ${sample}`})`
    return { name: shown, value: String(at), keys: [name] }
  })
}

/** The maps with another one, which replaces those of the same column and of the same field. */
export function replaceMap(maps: readonly string[], map: string): string[] {
  const [column, field] = partsOf(map)
  return [...maps.filter((one) => partsOf(one)[0] !== column && (field === '' || partsOf(one)[1] !== field)), map]
}

/** The maps to add to a command line with `given` so that it means `used`. A column that is no longer mapped becomes `Column=`. */
export function correctionsOf(given: readonly string[], used: readonly string[]): string[] {
  const columns = used.map((map) => partsOf(map)[0])
  const dropped = given.map((map) => partsOf(map)[0]).filter((column) => !columns.includes(column))
  return [...used.filter((map) => !given.includes(map)), ...dropped.map((column) => `${column}=`)]
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
