/** Parses phone numbers as people and programs write them, into E.164 and a kind (rules A3 and D11). */
import { createRequire } from 'node:module'
import type * as WorldPlan from 'libphonenumber-js/max'
import { areaCodeKind, type AreaCodeKind } from './area-codes.js'

/**
 * `ordinary` and `toll_free` numbers can be called. `premium` and `international` numbers are valid but not dialed
 * (rule D11). `reserved` are the two test numbers (rule T1). `made_up` are the other numbers that end in 555-0100 to
 * 555-0199 (rule T2). `invalid` is everything else.
 */
export type PhoneNumber =
  | {
      readonly kind: 'ordinary' | 'toll_free' | 'premium' | 'international' | 'reserved' | 'made_up'
      readonly e164: string
    }
  | { readonly kind: 'invalid' }

export type NumberKind = PhoneNumber['kind']

/** The two numbers of test mode: an interested lead, and a voicemail (rule T1). */
export const reservedNumbers: ReadonlySet<string> = new Set(['+15550100001', '+15550100002'])

const invalid: PhoneNumber = { kind: 'invalid' }

const northAmerican = /^\+1[2-9]\d{9}$/
const madeUp = /^\+1(?:\d{3}55501\d\d|55501\d{5})$/
/** An exchange is NXX and not N11. Toll-free and premium numbers have no exchanges. */
const exchange = /^[2-9](?!11)\d\d$/

/** Allowed between and around the digits: spaces, brackets, dots, slashes, all hyphens, marks of text direction. */
const separators = /[\s()./\-\u2010-\u2015\u2212\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g

/**
 * Parses one number in E.164 or a common American format, without letters or an extension. Ten digits, or eleven that
 * begin with 1, are North American. Other countries need `+`, `011` or `00` before the country code.
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

/** Checks the area code only: the library's metadata reject area codes that have long been in service. */
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

/** The library's metadata for all countries are slow to load. Only numbers that are refused anyway need them. */
function foreignNumber(e164: string): PhoneNumber {
  worldPlan ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof WorldPlan
  const number = worldPlan.parsePhoneNumberFromString(e164, { extract: false })
  return number?.isValid() ? { kind: 'international', e164: number.number } : invalid
}
