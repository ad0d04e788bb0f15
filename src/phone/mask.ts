/** Masks phone numbers and e-mail addresses in messages (rule F2). */

/** Identifiers and dates look like numbers but are not masked. The first pattern that matches at a place wins. */
const harmless = [
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
  // The numbers that nobody has, as a range (rule T2).
  String.raw`\b555-0100 to 555-0199\b`,
  String.raw`\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)`,
]

/** Tried at the start of a word only, so that the time grows linearly with the text. */
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

/** Keeps the last four digits of a number, and the first letter and the domain of an address. */
export function maskPersonalData(text: string): string {
  return text.replace(pattern, (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<'harmless' | 'email' | 'phone', string | undefined>>
    if (groups.harmless !== undefined) return found
    return groups.email !== undefined ? maskedEmail(found) : found.replace(allButLastFour, '*')
  })
}
