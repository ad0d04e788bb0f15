/** Hides telephone numbers and e-mail addresses inside a text for people (specification, Errors, `message`). */

/** Looks like a number and is none: identifiers and dates. The first pattern that fits a place wins. */
const harmless = [
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
  String.raw`\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)`,
]

/** Tried only where a word begins, so that a long text takes no longer than its length. */
const email = String.raw`(?<![\w.%+'-])[\w.%+'-]+@[\w-]+(?:\.[\w-]+)*`

const phones = [
  String.raw`\+\d[\d\s()./-]{5,18}\d`,
  String.raw`(?<![\w+])(?:1[\s./-]?)?\(?\d{3}\)?[\s./-]?\d{3}[\s./-]?\d{4}(?!\w)`,
  String.raw`(?<!\w)\d{3}[.-]\d{4}(?!\w)`,
  String.raw`(?<!\w)\d{9,15}(?!\w)`,
]

const pattern = new RegExp(`(?<harmless>${harmless.join('|')})|(?<email>${email})|(?<phone>${phones.join('|')})`, 'gi')

const allButLastFour = /\d(?=(?:\D*\d){4})/g

const maskedEmail = (address: string) => `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`

/** Of a number the last four digits stay, of an address its first letter and its domain. */
export function maskPersonalData(text: string): string {
  return text.replace(pattern, (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<'harmless' | 'email' | 'phone', string | undefined>>
    if (groups.harmless !== undefined) return found
    return groups.email !== undefined ? maskedEmail(found) : found.replace(allButLastFour, '*')
  })
}
