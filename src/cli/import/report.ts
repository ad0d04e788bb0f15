/** Counts, progress, result and resume command of an import. */
import type { Step } from '../../output/progress.js'
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
  /** Rows answered from an earlier run: the service replayed its first answer (rule I2). */
  replayed: number
}

export const noCounts = (): Counts => ({ added: 0, requeued: 0, refused: 0, by_code: {}, replayed: 0 })

export function countOutcome(counts: Counts, outcome: Outcome): void {
  counts[outcome.kind]++
  if (outcome.kind === 'refused') counts.by_code[outcome.code] = (counts.by_code[outcome.code] ?? 0) + 1
}

export const answeredRows = ({ added, requeued, refused }: Counts): number => added + requeued + refused

export interface Pace {
  /** New leads per minute; null if unknown. */
  rate: number | null
  /** Time until the next batch, and its size. */
  waitMs: number
  next: number
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
export function stepOf({ total, rows, rowsOfRun, elapsedMs }: Course, { rate, waitMs, next }: Pace): Step {
  const perMinute = rate ?? Math.round((rowsOfRun / Math.max(elapsedMs, 1)) * minuteMs)
  const after = Math.max(0, total - rows - next)
  const leftMs = perMinute > 0 ? waitMs + (after / perMinute) * minuteMs : undefined
  return { done: rows, total, note: `${perMinute} a minute`, leftMs }
}

/** Fields of the result, in print order. */
export function resultOf(columns: readonly string[], counts: Counts, failedFile: string): Record<string, unknown> {
  const all: Record<string, unknown> = { ...counts, failed_file: counts.refused > 0 ? failedFile : null }
  return Object.fromEntries(columns.map((column) => [column, all[column]]))
}

/** Path of the refused rows: next to the imported file by default. */
export const failedFileOf = (file: string, named: string | undefined): string =>
  named ?? `${file === '-' ? 'stdin' : file}.failed.csv`

/** Command that resumes the import. */
export function resumeCommand(typed: string, argv: readonly string[], file: string): string {
  const words = argv.filter((word) => word !== '--resume')
  const command = ['svc', typed, ...words.map(quoteForShell), '--resume'].join(' ')
  return file === '-' ? `${command}, with the same input` : command
}
