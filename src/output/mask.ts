/** Takes secrets out of text before a person, a log or another program sees it. */

// Without a word boundary: a secret may follow a letter or a digit.
const secretForms = /(cs_(?:live|test)_|whsec_)[\w-]+/g
const authorizationForms = /(Basic|Bearer)\s+[\w.~+/=-]+/gi

/** `known` are secrets of another form that this run was given. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  // A very short "secret" would blot out half the text and hide nothing. The longest goes first: it may hold another.
  const spellings = known.filter((secret) => secret.length >= 4).flatMap(spellingsOf)
  const longestFirst = spellings.sort((a, b) => b.length - a.length)
  // The known ones go before the forms, which would leave the end of one behind that holds other signs.
  const rest = longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '****'), text)
  return rest.replace(secretForms, '$1****').replace(authorizationForms, '$1 ****')
}

/** The same in every string of a value that came as JSON. */
export function maskSecretsIn<T>(value: T, known: readonly string[]): T
export function maskSecretsIn(value: unknown, known: readonly string[]): unknown {
  if (typeof value === 'string') return maskSecrets(value, known)
  if (Array.isArray(value)) return value.map((one: unknown) => maskSecretsIn(one, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [name, maskSecretsIn(part, known)]),
  )
}

/** A secret as it is, within JSON and within an address. */
function spellingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
}
