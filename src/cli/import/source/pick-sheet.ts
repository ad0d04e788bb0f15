/** The question which sheet of a workbook to read, if the first one has no phone numbers. */
import type { MissingValue } from '../../input/questions/prompt-for-missing.js'
import { allPhoneHeaders, normalizeHeader } from './combined-columns.js'
import { phoneColumnChoices } from './phone-column.js'
import type { Worksheet } from './workbook.js'

interface Asker {
  isInteractive: boolean
  promptForMissing: (...needs: MissingValue[]) => Promise<string[]>
}

/** Returns the sheet that a person picks; undefined if nobody can be asked or the first sheet has a phone column. */
export function sheetPicker(asker: Asker, maps: readonly string[]) {
  return async (first: Worksheet): Promise<string | undefined> => {
    if (!asker.isInteractive || (await hasPhones(first, maps))) return undefined
    // The sheet without phones is last, so that Enter alone does not pick it.
    const choices = () => Promise.resolve([...first.others, first.name].map((name) => ({ name, value: name })))
    const label = `The sheet ${JSON.stringify(first.name)} has no phone column. Which sheet`
    const [sheet] = await asker.promptForMissing({ flag: '--sheet', label, value: undefined, choices })
    return sheet
  }
}

async function hasPhones({ rows }: Worksheet, maps: readonly string[]): Promise<boolean> {
  const header = rows[0]?.values ?? []
  const names = header.map(normalizeHeader)
  const mapped = maps.filter((map) => map.endsWith('=phone')).map((map) => normalizeHeader(map.slice(0, -6)))
  if (names.some((name) => name === 'phone' || allPhoneHeaders.includes(name) || mapped.includes(name))) return true
  const all = async function* () {
    yield* rows
  }
  // A column without a known header, or a list of numbers without a header.
  const columns = header.map((_name, at) => `column ${at + 1}`)
  return (await phoneColumnChoices(columns, all())).length > 0
}
