/** Checks the headers of a request and flattens those of an answer. */
import { UnsendableError } from './errors.js'

const headerName = /^[!#$%&'*+.^`|~\w-]+$/
const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** Refuses what HTTP cannot carry: a line break, a character beyond Latin-1, a name with a space. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) throw new UnsendableError(`"${name}" is not a header name.`)
    if (!headerValue.test(value))
      throw new UnsendableError(`The ${name} header contains a character that headers cannot carry.`)
  }
}

/** Gives each header of an answer as one text. Repeated headers are joined with commas. */
export function flattenHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
