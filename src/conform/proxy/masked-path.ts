/** The path of a request without secrets and personal data, for records. */
import { maskSecrets } from '../../output/mask.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { maskPersonalData } from '../../phone/mask.js'

/** Parameters of signed links: whoever has the signature can read the file. */
const secretParameters = /^(signature|token|secret|x-amz-\w+)$/i

/** Longer paths are cut. */
const pathLengthMax = 2_000

/** Escapes would hide a number from the mask, so each part is decoded first. Parts with nothing to mask stay as sent. */
export function maskPath(path: string, secrets: readonly string[] = []): string {
  const mask = (text: string) => maskPersonalData(maskSecrets(text, secrets))
  const maskPart = (part: string) => {
    const plain = decode(part)
    const masked = mask(plain)
    return masked === plain ? part : masked
  }
  const [address = '', ...search] = path.slice(0, pathLengthMax).split('?')
  const parts = address.split('/').map(maskPart).join('/')
  if (search.length === 0) return stripControlsFromLine(parts)
  const query = search
    .join('?')
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      if (secretParameters.test(decode(name))) return `${name}=****`
      return [maskPart(name), ...(value.length > 0 ? [maskPart(value.join('=').replaceAll('+', ' '))] : [])].join('=')
    })
  return stripControlsFromLine(`${parts}?${query.join('&')}`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
