/** Which texts can be a webhook's secret. */

/** Shortest secret, in characters. An empty one, such as an unset variable gives, would let a stranger sign. */
export const secretLengthMin = 16

/** Whether the value is a text that is long enough. White space around it does not count. */
export const isUsableSecret = (secret: unknown): secret is string =>
  typeof secret === 'string' && secret.trim().length >= secretLengthMin
