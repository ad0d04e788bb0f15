/** Counts, progress, result and resume command of an import. */
import { join, parse } from 'node:path'
import { formatDuration, type Step } from '../../output/progress.js'
import { quoteForShell } from '../input/shell-word.js'
import type { Outcome } from './target.js'

/** Counts of the rows by result. */
export interface Counts {
  added: number
  /** Existing leads that were queued again. */
  requeued: number
  refused: number
  /** Refused rows by error code. */
  by_code: Record<string, number>
  /** Rows that an earlier run added: the service replayed its first answer (rule I2). */
  already_added: number
  /** Refused rows whose answer is that of an earlier run. Missing in journals of earlier versions. */
  refused_before?: number
  /** The first lines that were refused, by error code. */
  lines: Record<string, number[]>
}

/** Rows that are not sent because a person or a flag says so. */
export interface LeftOut {
  count: number
  /** Such as "marked rows". */
  what: string
}

export const noCounts = (): Counts => ({ added: 0, requeued: 0, refused: 0, already_added: 0, by_code: {}, lines: {} })

/** Lines kept for each error code. */
const linesMax = 5

/** Counts one row. `isRepeated` is true if an earlier run got the same answer. */
export function countOutcome(counts: Counts, outcome: Outcome, line: number, isRepeated: boolean): void {
  if (isRepeated && outcome.kind !== 'refused') counts.already_added++
  else counts[outcome.kind]++
  if (outcome.kind !== 'refused') return
  if (isRepeated) counts.refused_before = (counts.refused_before ?? 0) + 1
  counts.by_code[outcome.code] = (counts.by_code[outcome.code] ?? 0) + 1
  const lines = (counts.lines[outcome.code] ??= [])
  if (lines.length < linesMax) lines.push(line)
}

export const answeredRows = ({ added, requeued, refused, already_added }: Counts): number =>
  added + requeued + refused + already_added

export interface Pace {
  /** New leads per minute; null if unknown. */
  rate: number | null
  /** Time until the next batch, and its size. */
  waitMs: number
  next: number
  /** What it waits for, such as "the key's rate limit"; undefined if it does not wait. */
  waitsFor?: string | undefined
}

export interface Course {
  total: number
  /** Rows answered in total and in this run, and the duration of this run. */
  rows: number
  rowsOfRun: number
  elapsedMs: number
}

const minuteMs = 60_000

/** With a known rate limit, estimates the remaining time from it. */
export function stepOf({ total, rows, rowsOfRun, elapsedMs }: Course, { rate, waitMs, next, waitsFor }: Pace): Step {
  const perMinute = rate ?? Math.round((rowsOfRun / Math.max(elapsedMs, 1)) * minuteMs)
  const after = Math.max(0, total - rows - next)
  const leftMs = perMinute > 0 ? waitMs + (after / perMinute) * minuteMs : undefined
  const waiting = waitsFor && waitMs > 0 ? `waiting ${formatDuration(waitMs)} for ${waitsFor}` : undefined
  // Without an accepted row, no rate is known.
  const pace = perMinute > 0 || waiting === undefined ? [`${perMinute} a minute`] : []
  return { done: rows, total, note: [...pace, ...(waiting ? [waiting] : [])].join(', '), leftMs }
}

interface ResultParts {
  failedFile: string
  isDryRun: boolean
  more: Readonly<Record<string, unknown>>
}

/** Fields of the result, in print order. `more` holds fields of one kind of import. */
export function resultOf(
  columns: readonly string[],
  counts: Counts,
  { failedFile, isDryRun, more }: ResultParts,
): Record<string, unknown> {
  const { added, requeued } = counts
  const saved = isDryRun ? { added: 0, requeued: 0, would_add: added + requeued } : { added, requeued, would_add: 0 }
  const all: Record<string, unknown> = {
    ...counts,
    ...saved,
    ...more,
    failed_file: counts.refused > 0 ? failedFile : null,
  }
  return Object.fromEntries(columns.map((column) => [column, all[column]]))
}

/** Path of the refused rows: next to the imported file by default. A file of refused rows is rewritten. */
export function failedFileOf(file: string, named: string | undefined): string {
  if (named !== undefined) return named
  const { dir, name, ext } = parse(file === '-' ? 'stdin.csv' : file)
  if (name.endsWith('.failed')) return file
  const kept = /^\.(jsonl|ndjson|json|xlsx|xlsm)?$/i.test(ext) || ext === '' ? '.csv' : ext
  return join(dir, `${name}.failed${kept}`)
}

/** Command that resumes the import. `answers` are the answers to questions, as words of a command line. */
export function resumeCommand(
  typed: string,
  argv: readonly string[],
  file: string,
  answers: readonly string[] = [],
): string {
  const words = argv.filter((word) => word !== '--resume').map(quoteForShell)
  const command = ['svc', typed, ...words, ...answers, '--resume'].join(' ')
  return file === '-' ? `${command}, with the same input` : command
}
