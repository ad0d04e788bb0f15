/** Guesses how many lines would just make a deadline, from one simulation with another number. Only the search uses it. */
import type { HoursFacts } from '../../dialing/eligibility.js'
import type { Span } from '../../phone/spans.js'
import type { WorldResult } from '../../plan/planned-world.js'
import { lengthOf, openSpans } from './arithmetic.js'

export interface GuessFacts {
  hours: HoursFacts
  zones: readonly string[]
  start: number
  deadline: number
}

export class LineGuess {
  readonly #facts: GuessFacts
  /** Time before the deadline in which leads can be called. */
  readonly openMs: number

  constructor(facts: GuessFacts) {
    this.#facts = facts
    this.openMs = lengthOf(this.#open(facts.deadline))
  }

  #open(until: number): readonly Span[] {
    const { hours, zones, start } = this.#facts
    return openSpans(hours, zones, start, until)
  }

  /** `workMs` is the time of all calls added up, which is about the same with any number of lines. */
  from(lines: number, { finished, lineMs }: Pick<WorldResult, 'finished' | 'lineMs'>, workMs: number): number {
    const { openMs } = this
    const { deadline } = this.#facts
    // A run that was given up at the deadline tells how much of the work it had done.
    if (finished === null) return limited(lines, false, lines * (workMs / Math.max(lineMs, 1)))
    // Otherwise the time that no line was needed for, such as that until the last retry, remains as it is.
    const idleMs = lengthOf(this.#open(finished)) - workMs / lines
    const left = openMs - idleMs
    return limited(lines, finished <= deadline, left <= 0 ? Infinity : workMs / left)
  }
}

/** A number on the right side of the one that was simulated, and not too far from it. */
const limited = (lines: number, isMade: boolean, guess: number): number =>
  isMade ? Math.min(guess, lines - 1) : Math.min(Math.max(guess, lines + 1), 2 * lines)
