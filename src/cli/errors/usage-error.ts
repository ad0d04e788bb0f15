/** Error in the command line that the user can correct. Exit code 2. */

export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** How to fix it. */
  readonly hint: string | undefined
  /** One line for each problem, if there are several. */
  readonly details: readonly string[]

  constructor(message: string, hint?: string, details: readonly string[] = []) {
    super(message)
    this.hint = hint
    this.details = details
  }
}

/** The message after a declined question. */
export const cancelled = 'Cancelled. Nothing was changed.'
