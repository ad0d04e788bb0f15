/** A broken rule of the service, as seen by a random run. */
import { inspect } from 'node:util'

export class BrokenRule extends Error {
  override name = 'BrokenRule'
}

/** Fails the run if a rule does not hold. `about` is shown with the failure. */
export function must(holds: boolean, rule: string, about: object): asserts holds {
  if (!holds) throw new BrokenRule(`${rule}: ${inspect(about, { depth: 6, breakLength: 140, sorted: true })}`)
}
