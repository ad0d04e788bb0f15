/** Headers of a request, what none can be, and headers of an answer. */
import { UnsendableError } from './errors.js'

const headerName = /^[!#$%&'*+.^`|~\w-]+$/
const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** What HTTP has no way to carry is told at once: a line break, a letter beyond Latin, a name with a space. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name)) throw new UnsendableError(`"${name}" is no name of a header.`)
    if (!headerValue.test(value)) throw new UnsendableError(`The ${name} header would hold a sign that none can carry.`)
  }
}

/** Of an answer, each as one text: one that was sent several times is a list with commas. */
export function flattenHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
