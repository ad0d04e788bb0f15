/** How a check ends when the rule does not hold, or the question cannot be asked. */
import type { Recorded } from './requests/recorded.js'

/** The deployment answered otherwise than the rule says. */
export class DepartureError extends Error {
  override readonly name = 'DepartureError'

  constructor(
    /** What the rule expects, as a sentence without its full stop. */
    readonly expected: string,
    readonly exchange: Recorded | undefined,
  ) {
    super(expected)
  }
}

/** The question cannot be asked here, with this key or over the API. */
export class NotAskableError extends Error {
  override readonly name = 'NotAskableError'

  constructor(readonly reason: string) {
    super(reason)
  }
}

/** The key was refused for a permission that it lacks, or that the deployment wrongly says it lacks. */
export class NotPermittedError extends NotAskableError {
  constructor(
    readonly permission: string,
    readonly exchange: Recorded,
  ) {
    super(`the key lacks ${permission}`)
  }
}
