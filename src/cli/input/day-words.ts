/** Days by the words that people have for them: `friday`, `today`, `tomorrow` and `yesterday`. A day is text, `2026-11-27`. */

const dayMs = 86_400_000
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const fromToday: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }
/** `fri`, `tues` and `thurs` are weekdays too. */
const shortestWeekday = 3

/** The day some days later, or earlier if `days` is negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

const numberOfWeekday = (word: string): number =>
  word.length < shortestWeekday ? -1 : weekdays.findIndex((weekday) => weekday.startsWith(word.toLowerCase()))

export const isWeekday = (word: string): boolean => numberOfWeekday(word) >= 0

/** Whether the day depends on when it is read. */
export const isDayWord = (word: string): boolean => isWeekday(word) || Object.hasOwn(fromToday, word.toLowerCase())

/**
 * The day that a word means; undefined if it means none. A weekday is today or the next one of its name, or with `past` the
 * last one.
 */
export function dayOfWord(word: string, today: string, direction: 'coming' | 'past'): string | undefined {
  const offset = Object.hasOwn(fromToday, word.toLowerCase()) ? fromToday[word.toLowerCase()] : undefined
  if (offset !== undefined) return addDays(today, offset)
  const wanted = numberOfWeekday(word)
  if (wanted < 0) return undefined
  const ahead = (wanted - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(today, direction === 'coming' || ahead === 0 ? ahead : ahead - 7)
}
