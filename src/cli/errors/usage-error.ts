/** The command was not said in a way that can be carried out; a person can mend it. Exit 2. */

export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** What to do about it. */
  readonly hint: string | undefined
  /** Each place that is wrong, where there are several. */
  readonly details: readonly string[]

  constructor(message: string, hint?: string, details: readonly string[] = []) {
    super(message)
    this.hint = hint
    this.details = details
  }
}
