/** A rule of the service that a random run saw broken. */
import { inspect } from 'node:util'

export class BrokenRule extends Error {
  override name = 'BrokenRule'
}

/** Fails the run where a rule does not hold; `about` says what was seen. */
export function must(holds: boolean, rule: string, about: object): asserts holds {
  if (!holds) throw new BrokenRule(`${rule}: ${inspect(about, { depth: 6, breakLength: 140, sorted: true })}`)
}
