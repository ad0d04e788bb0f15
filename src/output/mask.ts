/** Masks secrets in output. */

// Without a word boundary: a secret may follow a letter or a digit.
const secretForms = /(cs_(?:live|test)_|whsec_)[\w-]+/g
const authorizationForms = /(Basic|Bearer)\s+[\w.~+/=-]+/gi

/** Shorter "secrets" would mask half of the text. */
const lengthMin = 4
/** Shorter ones can be a part of an ordinary word, as `short` is of `shorter`. They are masked only as a whole word. */
const anywhereLengthMin = 12

/** A word also begins after an escape: `\n` in JSON, `%20` in a URL. */
const wordStart = String.raw`(?:(?<![\p{L}\p{N}_-])|(?<=\\[nrtbf]|%[\dA-Fa-f]{2}))`
const wordEnd = String.raw`(?![\p{L}\p{N}_-])`

/** `known` lists secrets of this run that have no recognizable form. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  const spellings = known.filter((secret) => secret.length >= lengthMin).flatMap(spellingsOf)
  // Masks the longest first, because it may contain another.
  const longestFirst = spellings.sort((a, b) => b.length - a.length)
  // Masks known secrets before the patterns, which could match only part of one.
  const rest = longestFirst.reduce((masked, secret) => masked.replaceAll(patternOf(secret), '****'), text)
  return rest.replace(secretForms, '$1****').replace(authorizationForms, '$1 ****')
}

function patternOf(spelling: string): string | RegExp {
  if (spelling.length >= anywhereLengthMin) return spelling
  const literal = spelling.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(wordStart + literal + wordEnd, 'gu')
}

/** Masks secrets in every string of a JSON value. */
export function maskSecretsIn<T>(value: T, known: readonly string[]): T
export function maskSecretsIn(value: unknown, known: readonly string[]): unknown {
  if (typeof value === 'string') return maskSecrets(value, known)
  if (Array.isArray(value)) return value.map((one: unknown) => maskSecretsIn(one, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [name, maskSecretsIn(part, known)]),
  )
}

/** A secret in its plain, JSON and URL-encoded forms. */
function spellingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
}
