/** Error in the command line that the user can correct. Exit code 2. */

export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** How to fix it. */
  readonly hint: string | undefined
  /** One line for each problem, if there are several. */
  readonly details: readonly string[]

  /** False if the message is only our own words, which are never masked. */
  readonly repeatsInput: boolean

  constructor(message: string, hint?: string, details: readonly string[] = [], { repeatsInput = true } = {}) {
    super(message)
    this.hint = hint
    this.details = details
    this.repeatsInput = repeatsInput
  }
}

/** The message after a declined question. */
export const cancelled = 'Cancelled. Nothing was changed.'
