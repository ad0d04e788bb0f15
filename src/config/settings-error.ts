/** Settings that cannot be used: an unknown profile, a broken file, an address that would leak the key. */

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  /** What to do about it. */
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
