/** Finds the smallest number of lines that makes a deadline, with few simulations. */

/** What the simulations of a number say. */
export interface Probe {
  isMade: boolean
  /** The number that would just make it, by the work or the time that is left at the deadline. */
  guess: number
}

export interface LineSearch {
  /** Fewer lines cannot carry the calls before the deadline. */
  least: number
  /** More lines change nothing: each lead has one. */
  most: number
  /** A number that is known to make the deadline in enough of all seeds. */
  confirmed?: number | undefined
  firstGuess: number
  /** How many numbers are tried at the same time. */
  atOnce: number
  /** Asks the seeds that are most likely to miss the deadline: `count` of them, so that no thread is idle. */
  probe: (lines: number, count: number) => Promise<Probe>
  /** Whether enough of all seeds make it. It must be true only if `probe` is. */
  confirm: (lines: number) => Promise<boolean>
}

/** The numbers between which the search goes on: one that misses the deadline, and one that makes it. */
interface Bracket {
  missed: number
  made: number
}

/**
 * The smallest number that makes the deadline, or null. It assumes that more lines are not worse; the plan then looks at
 * larger numbers one by one.
 */
export async function findLines(search: LineSearch): Promise<number | null> {
  const { least, most, confirmed = most, probe, confirm } = search
  let missed = Math.min(Math.max(least, 1), most) - 1
  let guess = search.firstGuess
  for (;;) {
    if (most < 1 || (confirmed === most && !(await probe(most, 1)).isMade)) return null
    const found = await narrow(search, await approach(search, { missed, made: confirmed }, guess))
    if (found === search.confirmed || (await confirm(found))) return found
    if (found >= most) return null
    // Another seed needs more. From now on that one is asked.
    missed = found
    guess = (await probe(found, 1)).guess
  }
}

/** Numbers that are tried together are apart by this share of them. */
const firstGap = 0.01
const widening = 4

/** Tries numbers next to the guess and guesses again, until the number is between two that are near each other. */
async function approach(search: LineSearch, { missed, made }: Bracket, guess: number): Promise<Bracket> {
  const { atOnce } = search
  let step = -Math.max(1, Math.round(guess * firstGap))
  while (made - missed > 1) {
    const from = Math.min(Math.max(Math.ceil(guess), missed + 1), made - 1)
    const steps = Array.from({ length: Math.max(atOnce, 2) }, (_, at) => from + at * step)
    const tried = new Set(steps.map((lines) => Math.min(Math.max(lines, missed + 1), made - 1)))
    const results = await probeAll(search, [...tried])
    // If a larger number misses where a smaller one makes it, the larger one counts.
    const lower = results.findLast(({ isMade }) => !isMade)
    const upper = results.find(({ isMade, lines }) => isMade && lines > (lower?.lines ?? 0))
    missed = lower?.lines ?? missed
    made = upper?.lines ?? made
    if (lower && upper) break
    guess = (lower ?? upper)?.guess ?? guess
    step = (lower ? 1 : -1) * Math.abs(step) * widening
  }
  return { missed, made }
}

/** Tries evenly spaced numbers between the two until they are neighbors. */
async function narrow(search: LineSearch, { missed, made }: Bracket): Promise<number> {
  const { atOnce } = search
  while (made - missed > 1) {
    const parts = Math.min(atOnce + 1, made - missed)
    const [from, width] = [missed, made - missed]
    const tried = Array.from({ length: parts - 1 }, (_, at) => from + Math.round(((at + 1) * width) / parts))
    const results = await probeAll(search, tried)
    missed = Math.max(missed, ...results.filter(({ isMade }) => !isMade).map(({ lines }) => lines))
    made = Math.min(made, ...results.filter(({ isMade, lines }) => isMade && lines > missed).map(({ lines }) => lines))
  }
  return made
}

/** Probes numbers at the same time. With fewer numbers than threads, more seeds of each are asked. */
async function probeAll(
  { atOnce, probe }: LineSearch,
  tried: readonly number[],
): Promise<(Probe & { lines: number })[]> {
  const count = Math.max(1, Math.floor(atOnce / tried.length))
  const results = await Promise.all(tried.map(async (lines) => ({ lines, ...(await probe(lines, count)) })))
  return results.sort((a, b) => a.lines - b.lines)
}

/** Lines of a new campaign. */
export const usualLines = 5

/** A row of the table, as the recommendation reads it. */
interface Judged {
  lines: number
  makes_deadline: boolean | null
}

/** The smallest number from which on every larger number of the table makes the deadline, too; null if there is none. */
export function recommendLines(table: readonly Judged[]): number | null {
  let found: number | null = null
  for (const row of [...table].sort((a, b) => b.lines - a.lines)) {
    if (row.makes_deadline !== true) break
    found = row.lines
  }
  return found
}

/** Numbers worth showing around a recommended one. One that was simulated anyway takes the place of its neighbor. */
export function linesAround(found: number, most: number, current?: number, simulated?: number): number[] {
  const usual = [(3 * found) / 4, found, (3 * found) / 2].map(Math.round)
  const isNear = simulated !== undefined && simulated > found / 2 && simulated < 2 * found && simulated !== found
  const near = isNear ? usual.with(simulated < found ? 0 : 2, simulated) : usual
  const kept = current !== undefined && current > 0 ? [...near, current] : near
  // The number below shows what one line less would mean.
  const all = kept.some((lines) => lines < found) ? kept : [found - 1, ...kept]
  return [...new Set(all.map((lines) => Math.min(Math.max(lines, 1), Math.max(most, 1))))].sort((a, b) => a - b)
}
