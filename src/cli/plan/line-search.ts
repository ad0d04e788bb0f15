/** Finds the smallest number of lines that makes a deadline, with few simulations. */

export interface LineSearch {
  /** Fewer lines cannot carry the calls before the deadline. */
  least: number
  /** More lines change nothing: each lead has one. */
  most: number
  /** How many numbers are tried at the same time. */
  atOnce: number
  /** Whether this number makes the deadline in the seed that is most likely to miss it. */
  probe: (lines: number) => Promise<boolean>
  /** Whether it does in enough of all seeds. It must be true only if `probe` is. */
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
  const { least, most, probe, confirm } = search
  if (most < 1 || !(await probe(most))) return null
  let missed = Math.min(Math.max(least, 1), most) - 1
  for (;;) {
    const found = await narrow(search, await climb(search, { missed, made: most }))
    if (await confirm(found)) return found
    if (found >= most) return null
    missed = found
  }
}

const firstStep = 0.1

/** Doubles the step from the number that missed the deadline until one makes it. */
async function climb(search: LineSearch, bracket: Bracket): Promise<Bracket> {
  let step = Math.max(1, Math.ceil(bracket.missed * firstStep))
  for (;;) {
    const { missed, made } = bracket
    const steps = Array.from({ length: search.atOnce }, (_, at) => missed + step * 2 ** at)
    const tried = steps.filter((lines) => lines < made)
    if (tried.length === 0) return bracket
    const next = await tryNumbers(search, bracket, tried)
    if (next.made < made) return next
    bracket = next
    step *= 2 ** search.atOnce
  }
}

/** Tries evenly spaced numbers between the two until they are neighbors. */
async function narrow(search: LineSearch, bracket: Bracket): Promise<number> {
  while (bracket.made - bracket.missed > 1) {
    const { missed, made } = bracket
    const parts = Math.min(search.atOnce + 1, made - missed)
    const tried = Array.from(
      { length: parts - 1 },
      (_, at) => missed + Math.round(((at + 1) * (made - missed)) / parts),
    )
    bracket = await tryNumbers(search, bracket, tried)
  }
  return bracket.made
}

/** The bracket after trying these numbers. If a larger one misses where a smaller one makes it, the larger one counts. */
async function tryNumbers(
  { probe }: LineSearch,
  { missed, made }: Bracket,
  tried: readonly number[],
): Promise<Bracket> {
  const results = await Promise.all(tried.map(async (lines) => ({ lines, isMade: await probe(lines) })))
  const below = Math.max(missed, ...results.filter(({ isMade }) => !isMade).map(({ lines }) => lines))
  const above = results.filter(({ lines, isMade }) => isMade && lines > below).map(({ lines }) => lines)
  return { missed: below, made: Math.min(made, ...above) }
}

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

/** Numbers worth showing around a recommended one. */
export function linesAround(found: number, most: number, current: number | undefined): number[] {
  const near = [found / 2, (3 * found) / 4, found, (3 * found) / 2].map(Math.round)
  const kept = current !== undefined && current > 0 ? [...near.slice(1), current] : near
  // The number below shows what one line less would mean.
  const all = kept.some((lines) => lines < found) ? kept : [found - 1, ...kept]
  return [...new Set(all.map((lines) => Math.min(Math.max(lines, 1), Math.max(most, 1))))].sort((a, b) => a - b)
}
