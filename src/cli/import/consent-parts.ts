/** The parts that every consent needs (rule D7's proof), what they are called, and which flag gives them for all rows. */
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

/** The result of a row whose consent is incomplete; undefined for any other row. It is refused without a request. */
export function refuseIncompleteConsent(consent: unknown): Refusal | undefined {
  const missing = missingParts(consent)
  if (missing.length === 0) return undefined
  const lacking = missing.map(({ what, flags }) => `${what}, which ${flags} gives for all rows`).join('; ')
  return { kind: 'refused', code: 'incomplete_consent', message: `The consent is incomplete. Missing: ${lacking}.` }
}

/** The parts with these names, in their order. */
export const partsNamed = (names: ReadonlySet<ConsentPart['name']>): ConsentPart[] =>
  parts.filter(({ name }) => names.has(name))

/** "the source (web form, call, …) and the time". */
export const listParts = (missing: readonly ConsentPart[]): string => missing.map(({ what }) => what).join(' and ')

/** "--consent-source, and --consent-url or --consent-text". */
export const listFlags = (missing: readonly ConsentPart[]): string => missing.map(({ flags }) => flags).join(', and ')

/** What completes the consent of rows that were refused; no sentence if none were. */
export const describeMissing = (missing: readonly ConsentPart[]): string[] =>
  missing.length === 0
    ? []
    : [
        `The incomplete consent lacks ${listParts(missing)}: add ${listFlags(missing)} for all rows, or fill the columns.`,
      ]
