/** Checks webhook secrets. */

/** In characters. An empty secret, for example from an unset variable, would let anyone sign. */
export const secretLengthMin = 16

/** Whether the value is a long enough text. White space around it does not count. */
export const isUsableSecret = (secret: unknown): secret is string =>
  typeof secret === 'string' && secret.trim().length >= secretLengthMin
