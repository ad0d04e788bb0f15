/** Which choices of a list are offered for what was typed so far, and in which order. Enter takes the first one. */
import { parsePhone } from '../../phone/number.js'
import type { Choice, PickOptions } from './questions.js'

/** A line of the list that cannot be chosen. */
export interface ListHeading {
  type: 'separator'
  separator: string
}

export type OfferedLine = (Choice & { short?: string }) | ListHeading

/**
 * Exact matches come first. If there are none, the typed text itself does where it may be used, so that Enter never takes a
 * choice that only contains it: `crm-13` is not the lead `crm-137`.
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
  return others.length > 0 ? [lookUp, ...headings, ...others] : [lookUp]
}

/** The choices that the text means exactly, and the others that contain it. */
export function matchChoices(choices: readonly Choice[], typed: string): { exact: Choice[]; others: Choice[] } {
  const wanted = spelled(typed)
  if (wanted === '') return { exact: [], others: [] }
  const number = parsePhone(typed)
  const names = number.kind === 'invalid' ? [wanted] : [wanted, number.e164]
  const exact = choices.filter(({ name, value, word = '', keys = [] }) =>
    [name, value, word, ...keys].some((key) => names.includes(spelled(key))),
  )
  const others = choices.filter((choice) => !exact.includes(choice) && spelled(choice.name).includes(wanted))
  return { exact, others }
}

/** Letters in one case, and one space between words. */
const spelled = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
