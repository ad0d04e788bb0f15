/** Where an import starts: at the first row, or where an earlier run stopped. */
import { idempotencyRetentionHours } from '../../contract/limits.js'
import type { Progress } from './journal.js'
import { initialRate } from './lead-rate.js'
import { nothing } from './tally.js'

export interface Wish {
  /** State of the earlier run, if there is one. */
  earlier: Progress | undefined
  resume: boolean
  /** New leads per minute, if the user gave a rate. */
  rate: number | undefined
  /** Maximum leads in a batch. */
  most: number
  /** Used if the run starts at the first row. */
  salt: string
  now: number
}

export interface Beginning {
  progress: Progress
  /** True if the batches have the same sizes as in the earlier run, so that the service replays their answers. */
  repeatsCuts: boolean
}

export function beginning({ earlier, resume, rate, most, salt, now }: Wish): Beginning {
  const learned = earlier !== undefined && rate === undefined ? earlier.rate : initialRate(most, rate)
  const reached = earlier === undefined ? 0 : Math.max(earlier.reached, earlier.batch)
  if (earlier && resume) return { progress: { ...earlier, reached, rate: learned }, repeatsCuts: true }
  const isKept = earlier !== undefined && now - earlier.at < idempotencyRetentionHours * 3_600_000
  const progress: Progress = {
    version: 2,
    at: now,
    rows: 0,
    line: 0,
    batch: 0,
    reached: isKept ? reached : 0,
    next: 0,
    attempt: 0,
    counts: nothing(),
    salt,
    finished: false,
    rate: isKept ? learned : initialRate(most, rate),
  }
  return { progress, repeatsCuts: isKept }
}
