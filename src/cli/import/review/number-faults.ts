/** Why a phone number of a file cannot be called, found before it is sent. */
import { areaCodeKind } from '../../../phone/area-codes.js'
import { parsePhone, type NumberKind } from '../../../phone/number.js'

export type NumberFault =
  | 'missing'
  | 'shortened'
  | 'extended'
  | 'local'
  | 'unassigned'
  | 'made_up'
  | 'invalid'
  | 'not_taken'

/** A number in scientific notation: its last digits are lost. */
const scientific = /^[+']?\d(?:[.,]\d+)?E\+?\d+$/i

/** An extension after a number: "ext 12", "x 23", "#4". */
const extension = /^(.*?\d.*?)[\s,;]*((?:;ext=|ext(?:ension|n)?\b|ext|x|#)[\s.:]*\d{1,7})\s*$/i

/** The extension as it is written; undefined without one. */
export function extensionOf(text: string): string | undefined {
  const [, number = '', written] = extension.exec(text.trim()) ?? []
  return parsePhone(number).kind === 'invalid' ? undefined : written?.replace(/^;/, '')
}

/** Seven digits, as a number is said within its area. */
const lacksAreaCode = /^[2-9]\d{2}[\s.-]?\d{4}$/

/** An American number as digits, with its area code and its exchange. */
const american = /^\+?1?([2-9]\d\d)(\d{3})\d{4}$/

/** What no American number has: a sentence about its area code or its exchange. Undefined for text of another form. */
function explainUnassigned(text: string): string | undefined {
  if (/[^\d\s()+./-]/.test(text)) return undefined
  const [, area = '', exchange = ''] = american.exec(text.replace(/[^\d+]/g, '')) ?? []
  if (area === '') return undefined
  const kind = areaCodeKind(area)
  if (kind === undefined) return `There is no area code ${area}.`
  if (kind !== 'geographic') return undefined
  if (/^[01]/.test(exchange)) return `No US exchange begins with ${exchange[0] ?? ''}, as in ${exchange}.`
  return exchange.endsWith('11') ? `No US exchange is ${exchange}: such three digits are service codes.` : undefined
}

const madeUp = '555-0100 to 555-0199 are made-up numbers, reserved for examples.'

/** Undefined for a number that the service takes. `takes` is false for the kinds that it never takes. */
export function numberFault(text: string, takes: (kind: NumberKind) => boolean): NumberFault | undefined {
  if (text === '') return 'missing'
  if (scientific.test(text)) return 'shortened'
  const { kind } = parsePhone(text)
  if (kind === 'made_up') return 'made_up'
  if (kind !== 'invalid') return takes(kind) ? undefined : 'not_taken'
  if (extensionOf(text) !== undefined) return 'extended'
  if (lacksAreaCode.test(text.trim())) return 'local'
  return explainUnassigned(text) === undefined ? 'invalid' : 'unassigned'
}

/** Says more about an invalid number than the service does; undefined if there is no more to say. */
export function explainInvalidNumber(text: string): string | undefined {
  if (scientific.test(text)) return 'A spreadsheet has shortened the number, so that its last digits are lost.'
  if (lacksAreaCode.test(text.trim()))
    return 'The area code is missing: a number has 10 digits, such as (212) 555-7812.'
  if (parsePhone(text).kind === 'made_up') return madeUp
  const found = extensionOf(text)
  if (found !== undefined) return `The phone has an extension (${found}): remove it, an extension cannot be dialed.`
  return explainUnassigned(text)
}

/** A message about an invalid number with what else is known about the number. */
export function withReason(message: string, phone: string): string {
  const reason = explainInvalidNumber(phone)
  // The service may say it already.
  return reason === undefined || message.includes('555-0100') ? message : `${message} ${reason}`
}

/** Why the service does not take a valid number; undefined for a number that it takes. */
export function explainNotTaken(text: string): string | undefined {
  const { kind } = parsePhone(text)
  if (kind === 'premium') return 'a premium-rate number'
  if (kind === 'international') return 'a number outside the US and Canada'
  return kind === 'reserved' ? 'a test number, which only a test key can use' : undefined
}

/** Kinds that the service calls. Reserved test numbers are for test keys. */
export const isCallable =
  (isLive: boolean) =>
  (kind: NumberKind): boolean =>
    kind === 'ordinary' || kind === 'toll_free' || (kind === 'reserved' && !isLive)

/** Kinds that the Do Not Call list takes. */
export const isListable =
  (isLive: boolean) =>
  (kind: NumberKind): boolean =>
    kind !== 'invalid' && kind !== 'made_up' && (kind !== 'reserved' || !isLive)
