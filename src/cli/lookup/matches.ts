/** Chooses among resources by a word that a person typed, and explains when none or several match. */
import { UsageError } from '../errors/usage-error.js'

export interface Named {
  id: string
  name: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the text has the form of an id. Ids are sent as they are, without a lookup. */
export const isId = (text: string): boolean => uuid.test(text)

/**
 * The resources that a name means: those with exactly this name. At a terminal (`isLoose`), letters may differ in case and
 * a prefix is enough.
 */
export function matchByName<T extends Named>(all: readonly T[], name: string, isLoose: boolean): T[] {
  const exact = all.filter((one) => one.name === name)
  if (exact.length > 0 || !isLoose) return exact
  const wanted = name.trim().toLowerCase()
  const sameLetters = all.filter((one) => one.name.toLowerCase() === wanted)
  if (sameLetters.length > 0) return sameLetters
  return wanted === '' ? [] : all.filter((one) => one.name.toLowerCase().startsWith(wanted))
}

/** Form of an id that a table has shortened, with or without its ellipsis. */
const shortId = /^[0-9a-f]{8}…?$/i
export const isShortId = (text: string): boolean => shortId.test(text)

/** The beginning of an id, or the whole one, as ids are written. */
export const startOfId = (text: string): string => text.toLowerCase().replace('…', '')

/**
 * The resources that a person at a terminal means: by the beginning of an id, as tables show it, by the whole name in any
 * case, or by a part of it.
 */
export function matchLoosely<T extends Named>(all: readonly T[], typed: string): T[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return []
  const start = isShortId(wanted) ? startOfId(wanted) : undefined
  const byId = start === undefined ? [] : all.filter(({ id }) => id.startsWith(start))
  if (byId.length > 0) return byId
  const whole = all.filter(({ name }) => name.toLowerCase() === wanted)
  return whole.length > 0 ? whole : all.filter(({ name }) => name.toLowerCase().includes(wanted))
}

/** Refuses a word that several resources match. Lists them, so that an id can be copied. */
export function ambiguous(typed: string, kind: string, found: readonly string[]): UsageError {
  const shown = found.slice(0, shownMax)
  const more = found.length - shown.length
  return new UsageError(`${typed}: ${found.length} ${kind} match.`, 'Use the id of one of them.', [
    ...shown,
    ...(more > 0 ? [`and ${more} more`] : []),
  ])
}

const shownMax = 10
