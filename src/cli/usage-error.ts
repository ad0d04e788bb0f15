/** The command was not said in a way that can be carried out; a person can mend it. Exit 2. */

export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** What to do about it. */
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}
