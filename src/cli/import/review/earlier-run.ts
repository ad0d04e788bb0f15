/** What earlier runs of an import did, and what a person at a terminal reads about them before anything is sent. */
import { resolve } from 'node:path'
import { Journal, journalName, latestRunOf, type ImportedFile, type Progress } from '../journal.js'
import { LeadRate } from '../lead-rate.js'
import { amount, timeOf } from '../result-sentence.js'
import type { ImportSource } from '../source/source.js'
import type { ImportTarget } from '../target.js'
import type { ImportUi } from '../ui.js'

export interface EarlierRun {
  /** Rows that this run need not send again: those of an earlier run that is continued. */
  done: number
  /** True if the earlier run answered every row. */
  isFinished: boolean
  /** When an earlier run sent every row, in the words of a sentence; undefined if none did. */
  finishedAt: string | undefined
  /** Rows that the earlier run refused. */
  refused: number
  /** New leads per minute, if an earlier run learned the rate. */
  perMinute: number | undefined
}

const none: EarlierRun = { done: 0, isFinished: false, finishedAt: undefined, refused: 0, perMinute: undefined }

/** Identifies an import: the command, the account, the file's content and the target. */
export const identityOf = <Item>(source: ImportSource, target: ImportTarget<Item>, ui: ImportUi): unknown => [
  ...ui.identity,
  [source.digest, ...target.identity],
]

export const openJournal = <Item>(source: ImportSource, target: ImportTarget<Item>, ui: ImportUi): Journal =>
  new Journal(source.folder, identityOf(source, target, ui), fileOf(source, ui))

function fileOf({ file, digest, table }: ImportSource, ui: ImportUi): ImportedFile | undefined {
  if (file === '-') return undefined
  // Behind the digest of the content are the sheet and the rows left out.
  const [content = ''] = digest.split(' ')
  return { place: journalName([...ui.identity, resolve(file)]), digest: content, total: table.total }
}

/**
 * Says at a terminal what an earlier run of the import did, and asks whether to continue one that stopped. Without an
 * earlier run, `--resume` is a new import.
 */
export async function reviewEarlierRun<Item>(
  source: ImportSource,
  target: ImportTarget<Item>,
  ui: ImportUi,
): Promise<EarlierRun> {
  if (target.isDryRun) return none
  const earlier = openJournal(source, target, ui).read()
  if (earlier === undefined) {
    const file = fileOf(source, ui)
    const other = file && latestRunOf(file, source.folder)
    if (file && (ui.resume || (other && !other.finished)))
      ui.tell(describeNewImport(source.name, file, other, target.what))
    // Standard input cannot be compared with what came in before.
    else if (ui.resume) ui.tell('No earlier import of this input is known: this is a new import.')
    ui.resume = false
    return none
  }
  const { rows, finished, rate, at, counts } = earlier
  const { total } = source.table
  const { unit } = target
  if (!finished && ui.resume) ui.tell(`${describeStopped(rows, total, unit)} ${describeLeft(rows, total, unit)}`)
  if (!finished && !ui.resume) ui.resume = await ui.agree(`${describeStopped(rows, total, unit)} Continue from there?`)
  return {
    done: ui.resume ? rows : 0,
    isFinished: finished,
    finishedAt: finished ? timeOf(at) : undefined,
    refused: counts.refused,
    perMinute: new LeadRate(rate, target.most, undefined).perMinute ?? undefined,
  }
}

function describeNewImport(name: string, file: ImportedFile, other: Progress | undefined, what: string): string {
  if (!other?.file) return `No earlier import of ${name} is known: this is a new import.`
  if (other.file.digest === file.digest)
    return `The import of ${name} on ${timeOf(other.at)} had another target, other columns or other rows: this is a new import.`
  const sent = `${other.rows.toLocaleString('en-US')} of ${amount(other.file.total, 'rows')}`
  const again =
    what === 'leads' ? ' Numbers that the campaign already has are refused, within its duplicate window.' : ''
  return `${name} has changed since the import on ${timeOf(other.at)}, which sent ${sent}: this is a new import.${again}`
}

const describeStopped = (rows: number, total: number, unit: string): string =>
  `An earlier import of this file stopped after ${rows.toLocaleString('en-US')} of ${amount(total, unit)}.`

const describeLeft = (rows: number, total: number, unit: string): string =>
  `${amount(total - rows, unit)} ${total - rows === 1 ? 'is' : 'are'} left.`
