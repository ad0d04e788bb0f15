/** Questions that correct which column becomes which field. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import type { MissingValue } from '../../input/prompt-for-missing.js'
import type { Choice } from '../../input/questions.js'
import { plainField } from '../source/combined-columns.js'
import type { Field } from '../source/columns.js'
import type { Table } from '../source/table.js'

type Ask = (...needs: MissingValue[]) => Promise<string[]>

const sampleWidth = 30

/** Asks for one column and its field. Returns the value of `--map`. */
export async function askForColumn(
  ask: Ask,
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
  fields: readonly (string | undefined)[],
  known: readonly Field[],
): Promise<string> {
  const samples = await firstValues(columns, rows())
  const named = columns.map((name, at): Choice => {
    const now = fields[at] === undefined ? 'ignored' : plainField(fields[at])
    return { name: `${name} (${now}${samples[at] ? `, such as ${samples[at]}` : ''})`, value: name }
  })
  // Answers are hidden from the command line to repeat: a later one may replace them.
  const [column = ''] = await ask({
    ...{ flag: '--map', label: 'Column to correct', value: undefined, hidden: true },
    choices: () => Promise.resolve(named.filter(({ value }) => value !== '')),
  })
  // The list shows a dozen; phone and name come first.
  const choices = known.map(({ name }): Choice => ({ name, value: `${column}=${name}` }))
  const [field = ''] = await ask({
    ...{ flag: '--map', label: `${column} is`, value: undefined, hidden: true },
    choices: () =>
      Promise.resolve([
        ...choices.slice(0, 2),
        { name: `fields.${column} (a custom field)`, value: `${column}=fields.${column}` },
        { name: 'nothing (ignore this column)', value: `${column}=` },
        ...choices.slice(2),
      ]),
  })
  return field
}

/** The maps with another one, which replaces those of the same column and of the same field. */
export function replaceMap(maps: readonly string[], map: string): string[] {
  const [column, field] = partsOf(map)
  return [...maps.filter((one) => partsOf(one)[0] !== column && (field === '' || partsOf(one)[1] !== field)), map]
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
