/** Asks which import to undo. */
import { fullTime } from '../../output/time.js'
import type { MissingValue } from '../input/questions/prompt-for-missing.js'
import { amount } from './result-sentence.js'
import { listRecordedImports, type RecordedImport } from './undo-record.js'

export const importNeed = (folder: string, account: unknown, value: string | undefined): MissingValue => ({
  flag: '--from-import',
  label: 'Import to undo',
  value,
  choices: () => Promise.resolve(listRecordedImports(folder, account).map(choiceOf)),
  ifNone: 'There is no import to undo: none of the last 30 days, made on this machine with this key, added numbers.',
  hint: 'Name an import. svc dnc list --imports shows them.',
})

const choiceOf = ({ name, file, numbers, at }: RecordedImport) => ({
  name: `${describeFile(file)}: ${amount(numbers, 'numbers')} (${fullTime(new Date(at).toISOString(), { utc: false })})`,
  value: name,
  ...(file !== undefined && file !== '-' && { keys: [file] }),
})

function describeFile(file: string | undefined): string {
  if (file === undefined) return 'A file that is not recorded'
  return file === '-' ? 'Standard input' : file
}
