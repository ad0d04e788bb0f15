/** Which choices of a list are offered for what was typed so far, and in which order. Enter takes the first one. */
import { parsePhone } from '../../../phone/number.js'
import type { Choice, PickOptions } from './questions.js'

/** A line of the list that cannot be chosen. */
export interface ListHeading {
  type: 'separator'
  separator: string
}

export type OfferedChoice = Choice & { short?: string }

export type OfferedLine = OfferedChoice | ListHeading

/**
 * Exact matches come first, then others, then the typed text itself where it may be used. Where a text may be the beginning of
 * another number or id, it comes before choices that only contain it, so that Enter never takes one of them: `crm-13` is not
 * the lead `crm-137`.
 */
export function offerChoices(
  choices: readonly Choice[],
  { isOpen, heading }: PickOptions,
  typed: string | undefined,
): OfferedLine[] {
  const text = (typed ?? '').trim()
  const headings: ListHeading[] = heading === undefined ? [] : [{ type: 'separator', separator: heading }]
  if (text === '') return [...headings, ...choices]
  const { exact, others } = matchChoices(choices, text)
  if (!isOpen) return [...exact, ...others]
  const among = heading === undefined ? '' : ' among all'
  const lookUp = { name: `Look up ${JSON.stringify(text)}${among}`, value: text, short: text }
  // A list that lacks some may lack another one of the same name.
  if (exact.length > 0) return [...exact, ...(heading === undefined ? [] : [lookUp]), ...others]
  if (others.length === 0) return [lookUp]
  return isSure(text) ? [...others, lookUp] : [lookUp, ...headings, ...others]
}

/** Fewer digits of a number are as likely a part of another one. */
const sureDigits = 7

/** Whether a part of a choice is enough to mean it: a part of a name, or most of a phone number. */
const isSure = (text: string): boolean => !/\d/.test(text) || digitsOf(text).length >= sureDigits

/** The choices that the text means exactly, and the others that contain it. Those with a word that it begins come first. */
export function matchChoices(choices: readonly Choice[], typed: string): { exact: Choice[]; others: Choice[] } {
  const wanted = spelled(typed)
  if (wanted === '') return { exact: [], others: [] }
  const number = parsePhone(typed)
  const names = number.kind === 'invalid' ? [wanted] : [wanted, number.e164]
  const digits = digitsOf(typed)
  const wordsOf = ({ name, value, word = '', keys = [] }: Choice) => [name, value, word, ...keys].map(spelled)
  const exact = choices.filter((choice) => wordsOf(choice).some((key) => names.includes(key)))
  const contains = ({ name, keys = [] }: Choice) =>
    [name, ...keys].some((key) => spelled(key).includes(wanted) || (digits !== '' && phoneDigits(key).includes(digits)))
  const others = choices.filter((choice) => !exact.includes(choice) && contains(choice))
  const beginsWord = ({ name, keys = [] }: Choice) =>
    [name, ...keys].some((key) => ` ${spelled(key)}`.includes(` ${wanted}`))
  return { exact, others: [...others.filter(beginsWord), ...others.filter((choice) => !beginsWord(choice))] }
}

/** A word that means the choice and no other one; undefined if there is none. */
export function wordFor({ name, value, word, keys = [] }: Choice, choices: readonly Choice[]): string | undefined {
  const words = [word, ...keys, ...(name === value ? [name] : [])]
  return words.find((one) => one !== undefined && matchChoices(choices, one).exact.length === 1)
}

/** The digits of a part of a phone number; empty for any other text. */
const digitsOf = (text: string): string => (/^[\d\s()+./-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '')

const phoneDigits = (key: string): string => (/^\+\d+$/.test(key) ? key.slice(1) : '')

/** Letters in one case, and one space between words. */
const spelled = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
