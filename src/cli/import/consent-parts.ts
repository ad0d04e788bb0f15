/** The parts that every consent needs (rule D7's proof), what they are called, and which flag gives them for all rows. */
import { UsageError } from '../errors/usage-error.js'
import { explainDateFault, findDateFault, writeDatesLike, type DateFault } from './consent-dates.js'
import type { Refusal } from './target.js'

export interface ConsentPart {
  name: 'source' | 'agreed_at' | 'evidence'
  what: string
  flags: string
}

const parts: readonly (ConsentPart & { fields: readonly string[] })[] = [
  { name: 'source', what: 'the source (web form, call, …)', flags: '--consent-source', fields: ['source'] },
  { name: 'agreed_at', what: 'the time', flags: '--consent-at', fields: ['agreed_at'] },
  { name: 'evidence', what: 'the page or text', flags: '--consent-url or --consent-text', fields: ['text', 'url'] },
]

/** The parts that a consent lacks; none without a consent. A text or a page is enough. */
export function missingParts(consent: unknown): ConsentPart[] {
  if (typeof consent !== 'object' || consent === null) return []
  return parts.filter(({ fields }) => !fields.some((field) => Object.hasOwn(consent, field)))
}

/** The date of a consent that leaves open which moment it means; undefined if there is none, or if it is clear. */
export function unclearDate(consent: unknown): { text: string; fault: DateFault } | undefined {
  if (typeof consent !== 'object' || consent === null || !('agreed_at' in consent)) return undefined
  const text = consent.agreed_at
  const fault = typeof text === 'string' ? findDateFault(text) : undefined
  return fault && { text: String(text), fault }
}

const longestDate = 60

/** A value that is much longer is no date, and is cut. */
const quoteDate = (text: string): string => JSON.stringify(text.slice(0, longestDate))

/**
 * The result of a row whose consent is incomplete or has an unclear date; undefined for any other row. It is refused without a
 * request, because the service refuses the whole batch of such a row.
 */
export function refuseConsent(consent: unknown): Refusal | undefined {
  const missing = missingParts(consent)
  const date = unclearDate(consent)
  const lacking = missing.map(({ what, flags }) => `${what}, which ${flags} gives for all rows`).join('; ')
  const sentences = [
    ...(missing.length > 0 ? [`The consent is incomplete. Missing: ${lacking}.`] : []),
    ...(date
      ? [
          `${explainDateFault(`The consent date ${quoteDate(date.text)}`, date.text, date.fault)} Write it ${writeDatesLike}.`,
        ]
      : []),
  ]
  if (sentences.length === 0) return undefined
  const code = missing.length > 0 ? 'incomplete_consent' : 'unclear_consent_date'
  return { kind: 'refused', code, message: sentences.join(' ') }
}

/**
 * Throws `UsageError` if every row would be refused because of the flags, before anything is sent. Columns can give the parts that
 * the flags lack.
 */
export function checkConsentFlags(consent: object, hasConsentColumn: boolean): void {
  const date = unclearDate(consent)
  if (date)
    throw new UsageError(
      explainDateFault(`--consent-at ${quoteDate(date.text)}`, date.text, date.fault),
      `Write it ${writeDatesLike}.`,
    )
  const isGiven = Object.keys(consent).length > 0
  const missing = isGiven && !hasConsentColumn ? missingParts(consent) : []
  if (missing.length > 0)
    throw new UsageError(
      `The consent for all rows is incomplete: it lacks ${listParts(missing)}.`,
      `Add ${listFlags(missing)}.`,
    )
}

/** The parts with these names, in their order. */
export const partsNamed = (names: ReadonlySet<ConsentPart['name']>): ConsentPart[] =>
  parts.filter(({ name }) => names.has(name))

/** "the source (web form, call, …), the time and the page or text". */
export function listParts(missing: readonly ConsentPart[]): string {
  const names = missing.map(({ what }) => what)
  return [...(names.length > 2 ? [names.slice(0, -1).join(', ')] : names.slice(0, -1)), ...names.slice(-1)].join(
    ' and ',
  )
}

/** "--consent-source, and --consent-url or --consent-text". */
export function listFlags(missing: readonly ConsentPart[]): string {
  const flags = missing.map((part) => part.flags)
  return flags.map((flag, at) => (at > 0 && at === flags.length - 1 ? `and ${flag}` : flag)).join(', ')
}

/** What completes the consent of rows that were refused; no sentence if none were. */
export const describeMissing = (missing: readonly ConsentPart[]): string[] =>
  missing.length === 0
    ? []
    : [
        `The incomplete consent lacks ${listParts(missing)}: add ${listFlags(missing)} for all rows, or fill the columns.`,
      ]

/** What adds a consent to rows that the campaign refused without one. */
export const describeRequired = (): string =>
  `The campaign requires consent: add ${listFlags(parts)} for all rows, or fill such columns.`
