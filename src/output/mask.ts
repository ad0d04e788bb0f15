/** Takes secrets out of text before a person, a log or another program sees it. */

const secretForms = /\b(cs_(?:live|test)_|whsec_)[\w-]+/g
const authorizationForms = /\b(Basic|Bearer)\s+[\w.~+/=-]+/gi

/** `known` are secrets of another form that this run was given. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  const masked = text.replace(secretForms, '$1****').replace(authorizationForms, '$1 ****')
  // A very short "secret" would blot out half the text and hide nothing.
  return known.filter((secret) => secret.length >= 4).reduce((rest, secret) => rest.replaceAll(secret, '****'), masked)
}
