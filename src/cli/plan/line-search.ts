/** Finds the smallest number of lines that makes a deadline, with few simulations. */

export interface LineSearch {
  /** Fewer lines cannot carry the calls before the deadline. */
  least: number
  /** More lines change nothing: each lead has one. */
  most: number
  /** Whether this number makes the deadline in the first seeds. */
  probe: (lines: number) => Promise<boolean>
  /** Whether it does in enough of all seeds. It must be true only if `probe` is. */
  confirm: (lines: number) => Promise<boolean>
}

/**
 * The smallest number that makes the deadline, or null. It assumes that more lines are not worse; the plan then looks at
 * larger numbers one by one.
 */
export async function findLines({ least, most, probe, confirm }: LineSearch): Promise<number | null> {
  if (most < 1 || !(await probe(most))) return null
  /** The largest number that failed, and all that passed their probe. */
  let failed = Math.min(Math.max(least, 1), most) - 1
  const passed = new Set([most])
  for (;;) {
    const upper = await firstToPass(failed, passed, probe)
    const found = await bisect(failed, upper, passed, probe)
    if (await confirm(found)) return found
    passed.delete(found)
    failed = found
    if (passed.size === 0) return null
  }
}

/** Doubles the step from the number that failed until one passes. */
async function firstToPass(failed: number, passed: Set<number>, probe: LineSearch['probe']): Promise<number> {
  const nearest = Math.min(...passed)
  let step = Math.max(1, Math.ceil(failed * firstStep))
  for (let lines = failed + step; lines < nearest; lines = failed + step) {
    if (await probe(lines)) {
      passed.add(lines)
      return lines
    }
    failed = lines
    step *= 2
  }
  return nearest
}

const firstStep = 0.1

async function bisect(failed: number, upper: number, passed: Set<number>, probe: LineSearch['probe']): Promise<number> {
  let [low, high] = [failed, upper]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await probe(middle)) passed.add((high = middle))
    else low = middle
  }
  return high
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
  const near = [found / 2, (3 * found) / 4, found, (5 * found) / 4, 2 * found].map(Math.round)
  const all = current !== undefined && current > 0 ? [...near.slice(1), current] : near
  return [...new Set(all.map((lines) => Math.min(Math.max(lines, 1), Math.max(most, 1))))].sort((a, b) => a - b)
}
