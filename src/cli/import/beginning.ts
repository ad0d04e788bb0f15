/** Where an import begins: at the first row, or where an earlier run of the same import stood. */
import { idempotencyRetentionHours } from '../../contract/limits.js'
import type { Progress } from './journal.js'
import type { Plan } from './plan.js'
import { nothing } from './tally.js'

export interface Wish {
  /** What is known of an earlier run. */
  earlier: Progress | undefined
  resume: boolean
  /** New leads a minute, where a person said so. */
  rate: number | undefined
  /** For a run that begins at the first row. */
  salt: string
  now: number
}

/**
 * A run that begins again within the time that answers are kept cuts the file as the earlier one did, up to where that
 * one came: each batch then meets its own key, and the service answers as before.
 */
export function beginning({ earlier, resume, rate, salt, now }: Wish): Progress {
  if (earlier && resume) {
    return { ...earlier, ...cutFrom(earlier, reachedBy(earlier), rate), unsureAt: earlier.sent }
  }
  const fresh = {
    version: 1,
    at: now,
    rows: 0,
    line: 0,
    sent: 0,
    next: 0,
    attempt: 0,
    counts: nothing(),
    salt,
    finished: false,
  } as const
  if (earlier && now - earlier.at < idempotencyRetentionHours * 3_600_000) {
    const repeatedTo = reachedBy(earlier)
    return {
      ...fresh,
      window: earlier.window,
      repeatedTo,
      unsureAt: earlier.sent,
      ...cutFrom(earlier, repeatedTo, rate),
      told: false,
    }
  }
  return { ...fresh, window: [], repeatedTo: 0, plan: [{ from: 0, rate: rate ?? null }], told: false }
}

/** As far as any run came: one that only repeats another may have been stopped long before. */
const reachedBy = ({ sent, next, repeatedTo }: Progress): number => Math.max(repeatedTo, sent + next)

/** The plan of an earlier run, with the rate that was said from a place on. */
function cutFrom({ plan, told }: Progress, from: number, rate: number | undefined): { plan: Plan; told: boolean } {
  if (rate === undefined) return { plan, told }
  return { plan: [...plan.filter((stretch) => stretch.from < from), { from, rate }], told: false }
}
