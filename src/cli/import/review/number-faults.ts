/** Why a phone number of a file cannot be called, found before it is sent. */
import { parsePhone, type NumberKind } from '../../../phone/number.js'

export type NumberFault = 'missing' | 'shortened' | 'extended' | 'invalid' | 'not_taken'

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

/** Undefined for a number that the service takes. `takes` is false for the kinds that it never takes. */
export function numberFault(text: string, takes: (kind: NumberKind) => boolean): NumberFault | undefined {
  if (text === '') return 'missing'
  if (scientific.test(text)) return 'shortened'
  const { kind } = parsePhone(text)
  if (kind !== 'invalid') return takes(kind) ? undefined : 'not_taken'
  return extensionOf(text) === undefined ? 'invalid' : 'extended'
}

/** Says more about an invalid number than the service does; undefined if there is no more to say. */
export function explainInvalidNumber(text: string): string | undefined {
  if (scientific.test(text)) return 'A spreadsheet has shortened the number, so that its last digits are lost.'
  if (lacksAreaCode.test(text.trim()))
    return 'The area code is missing: a number has 10 digits, such as (212) 555-7812.'
  const found = extensionOf(text)
  return found === undefined
    ? undefined
    : `The phone has an extension (${found}): remove it, an extension cannot be dialed.`
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
