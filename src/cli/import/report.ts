/** What is said of an import while it runs and when it ends: figures for a bar, the result, the command to go on with. */
import type { Step } from '../../output/progress.js'
import { quoteForShell } from '../input/shell-word.js'
import type { Counts } from './tally.js'

export interface Pace {
  /** New leads a minute; null while nobody knows. */
  rate: number | null
  /** Until the next batch goes out, and how much it holds. */
  waitMs: number
  next: number
}

export interface Course {
  total: number
  /** Rows answered, and how many of them in this run, which took so long. */
  rows: number
  rowsOfRun: number
  elapsedMs: number
}

const minuteMs = 60_000

/** Where the allowance is known, the rest takes as long as that lets it. */
export function stepOf({ total, rows, rowsOfRun, elapsedMs }: Course, { rate, waitMs, next }: Pace): Step {
  const perMinute = rate ?? Math.round((rowsOfRun / Math.max(elapsedMs, 1)) * minuteMs)
  const after = Math.max(0, total - rows - next)
  const leftMs = perMinute > 0 ? waitMs + (after / perMinute) * minuteMs : undefined
  return { done: rows, total, note: `${perMinute} a minute`, leftMs }
}

/** The fields of a result, in the order they are printed in. */
export function resultOf(columns: readonly string[], counts: Counts, failedFile: string): Record<string, unknown> {
  const all: Record<string, unknown> = { ...counts, failed_file: counts.refused > 0 ? failedFile : null }
  return Object.fromEntries(columns.map((column) => [column, all[column]]))
}

/** Beside the file that was imported, unless another was named. */
export const failedFileOf = (file: string, named: string | undefined): string =>
  named ?? `${file === '-' ? 'stdin' : file}.failed.csv`

/** What to type to go on. */
export function resumeCommand(typed: string, argv: readonly string[], file: string): string {
  const words = argv.filter((word) => word !== '--resume')
  const command = ['svc', typed, ...words.map(quoteForShell), '--resume'].join(' ')
  return file === '-' ? `${command}, with the same input` : command
}
