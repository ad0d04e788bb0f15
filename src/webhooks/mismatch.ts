/** Guesses why a signature does not match, by trying common mistakes of receivers. */

type Fits = (body: Uint8Array, secret: string) => boolean
type Rewriting = readonly [description: string, rewrite: (text: string) => string]

/**
 * Longest body, in bytes, that is parsed and rewritten. Each guess costs a copy of the body and a digest per secret,
 * and anyone can send an unsigned request.
 */
const guessedBodyBytes = 8_192

/**
 * Texts that the sender may have signed instead of the body. Indented JSON is not tried: the service never sends it,
 * and indenting deeply nested JSON takes memory that grows with the square of its length.
 */
const rewritings: readonly Rewriting[] = [
  ['the body without its trailing newline', (text) => text.replace(/\r?\n$/, '')],
  ['the body with a trailing newline', (text) => `${text}\n`],
  ['the body without its byte order mark', (text) => text.replace(/^\uFEFF/, '')],
  ['the body with \\n for each \\r\\n', (text) => text.replaceAll('\r\n', '\n')],
  ['the body as compact JSON', (text) => JSON.stringify(JSON.parse(text))],
]

/** Secrets that the right one may have become when it was copied badly. */
const respellings: readonly Rewriting[] = [
  ['the secret without the white space around it', (secret) => secret.trim()],
  ['the secret with whsec_ in front', (secret) => `whsec_${secret}`],
  ['the secret without the quotes around it', (secret) => secret.replace(/^(["'])(.*)\1$/, '$2')],
]

/** One or two sentences for the developer of a receiver. Never contains a secret. */
export function explainMismatch(body: Uint8Array, secrets: readonly string[], fits: Fits): string {
  if (body.length === 0)
    return 'The body is empty: it was read before, or never arrived. Verify the raw bytes before any parser.'
  if (body.length > guessedBodyBytes) {
    return `Either the secret or the body is not the one that was signed. Causes are only looked for in bodies of at most ${guessedBodyBytes} bytes.`
  }
  const respelling = respellings.find(([, respell]) => secrets.some((secret) => fits(body, respell(secret))))
  if (respelling) return `The signature fits ${respelling[0]}: copy the secret whole and without anything else.`

  const text = decode(body)
  if (text === null)
    return 'The body is not UTF-8, so it was changed on its way here. Verify the raw bytes as they arrive.'
  const rewriting = rewritings.find(([, rewrite]) => {
    const bytes = orNull(() => Buffer.from(rewrite(text)))
    return bytes !== null && secrets.some((secret) => fits(bytes, secret))
  })
  if (rewriting) {
    return `The signature fits ${rewriting[0]}: the body was changed after it arrived. Verify the raw bytes, not parsed and rewritten JSON.`
  }
  if (!secrets.every((secret) => secret.startsWith('whsec_'))) {
    return 'The secret does not begin with whsec_: is it the secret of an API key?'
  }
  return (
    'Either the secret is that of another endpoint or from before a roll, or the body is not the raw bytes ' +
    'that were sent.'
  )
}

function decode(body: Uint8Array): string | null {
  return orNull(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
}

/** Null if the body is not JSON. */
function orNull<T>(make: () => T): T | null {
  try {
    return make()
  } catch {
    return null
  }
}
