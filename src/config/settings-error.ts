/** Unusable settings: an unknown profile, a broken file, or an address that would expose the key. */

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  /** How to fix it. */
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
