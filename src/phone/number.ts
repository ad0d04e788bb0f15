/** Telephone numbers as people and programs write them, read into E.164 and a kind. */
import { createRequire } from 'node:module'
import type * as WorldPlan from 'libphonenumber-js/max'
import { areaCodeKind, type AreaCodeKind } from './area-codes.js'

/**
 * `ordinary` and `toll_free` can be called. `premium` and `international` are valid and not dialed (specification,
 * Dialing rules, 11). `reserved` are the two numbers of test mode. `made_up` is the rest of the range they stand in and
 * the 555-01XX numbers of every area code. `invalid` is no number of anybody's.
 */
export type PhoneNumber =
  | {
      readonly kind: 'ordinary' | 'toll_free' | 'premium' | 'international' | 'reserved' | 'made_up'
      readonly e164: string
    }
  | { readonly kind: 'invalid' }

export type NumberKind = PhoneNumber['kind']

/** Specification, Test mode: an interested lead, and a voicemail. */
export const reservedNumbers: ReadonlySet<string> = new Set(['+15550100001', '+15550100002'])

const invalid: PhoneNumber = { kind: 'invalid' }

const northAmerican = /^\+1[2-9]\d{9}$/
const madeUp = /^\+1(?:\d{3}55501\d\d|55501\d{5})$/
/** An exchange is NXX and not N11; the blocks behind a toll-free or premium code have no exchanges. */
const exchange = /^[2-9](?!11)\d\d$/

/** Between the digits, or around them: blanks, brackets, dots, slashes, every kind of hyphen, marks of text direction. */
const separators = /[\s()./\-\u2010-\u2015\u2212\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g

/**
 * Reads one number, in E.164 or any common American format, alone in the text: no letters and no extension. Ten digits,
 * or eleven that begin with 1, are North American; any other country needs `+`, `011` or `00` before its code.
 */
export function parsePhone(text: string): PhoneNumber {
  if (northAmerican.test(text)) return northAmericanNumber(text)
  const e164 = digitsOf(text.replace(separators, ''))
  if (e164 === null) return invalid
  if (e164.startsWith('+1')) return northAmerican.test(e164) ? northAmericanNumber(e164) : invalid
  return foreignNumber(e164)
}

const prefixes: readonly (readonly [written: RegExp, plus: string])[] = [
  [/^\+(\d{7,15})$/, '+'],
  [/^(?:011|00)([1-9]\d{6,14})$/, '+'],
  [/^([2-9]\d{9})$/, '+1'],
  [/^(1[2-9]\d{9})$/, '+'],
]

function digitsOf(compact: string): string | null {
  for (const [written, plus] of prefixes) {
    const digits = written.exec(compact)?.[1]
    if (digits !== undefined) return plus + digits
  }
  return null
}

const kindOfAreaCode: Readonly<Record<AreaCodeKind, NumberKind>> = {
  geographic: 'ordinary',
  toll_free: 'toll_free',
  premium: 'premium',
  international: 'international',
  other: 'invalid',
}

/** Judged by the area code alone: the published metadata refuse area codes that have long been in service. */
function northAmericanNumber(e164: string): PhoneNumber {
  if (reservedNumbers.has(e164)) return { kind: 'reserved', e164 }
  if (madeUp.test(e164)) return { kind: 'made_up', e164 }
  const areaCode = areaCodeKind(e164.slice(2, 5))
  if (areaCode === undefined) return invalid
  const kind = kindOfAreaCode[areaCode]
  if (kind === 'invalid') return invalid
  if (kind === 'toll_free' || kind === 'premium') return { kind, e164 }
  const nxx = e164.slice(5, 8)
  if (!exchange.test(nxx)) return invalid
  return { kind: kind === 'ordinary' && nxx === '976' ? 'premium' : kind, e164 }
}

let worldPlan: typeof WorldPlan | undefined

/** The plan of the whole world is heavy, and only a number that will be refused anyway needs it. */
function foreignNumber(e164: string): PhoneNumber {
  worldPlan ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof WorldPlan
  const number = worldPlan.parsePhoneNumberFromString(e164, { extract: false })
  return number?.isValid() ? { kind: 'international', e164: number.number } : invalid
}
