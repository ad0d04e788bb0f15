/** A time as a person writes it: a date-time, a date, a weekday, or a duration before now. */
import { fullTime, isDateTime, localZone } from '../../output/time.js'
import { durationMs } from '../base/flags.js'
import { UsageError } from '../errors/usage-error.js'
import { dayOfWord, isDayWord } from './day-words.js'

const durationForm = /^(\d+(\.\d+)?(ms|[smhdw]))+$/

/**
 * Returns a date-time with its zone, or seconds since 1970, for the API. A day means its start for `--since` and its end for
 * `--until`, in the local time zone. A weekday is today or the last one of its name. `now` is read only for a duration such
 * as `7d` and for a word such as `monday`.
 */
export async function parseTime(text: string, flag: string, now: () => Promise<number>): Promise<string> {
  if (/^\d{1,11}$/.test(text) || (isDateTime(text) && !Number.isNaN(Date.parse(text)))) return text
  if (durationForm.test(text)) return new Date((await now()) - durationMs(text, flag)).toISOString()
  const date = isDayWord(text) ? dayOfWord(text, localDay(await now()), 'past') : text
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date ?? '') ?? []
  const start = new Date(Number(year), Number(month) - 1, Number(day))
  const isDate = year !== '' && start.getMonth() === Number(month) - 1 && start.getDate() === Number(day)
  if (!isDate)
    throw new UsageError(
      `${flag} ${text} is not a date-time, a date or a duration.`,
      'Use a form like 2026-10-01T09:30:00Z, 2026-10-01, monday, or 7d for seven days ago.',
    )
  if (flag === '--until') start.setHours(23, 59, 59, 999)
  return start.toISOString()
}

/**
 * A day such as `2026-10-01`, `yesterday`, the last `monday`, or `7d` for that of seven days ago, in the local time zone. Any other
 * text stays, for the service to judge.
 */
export async function parseDay(text: string, now: () => Promise<number>): Promise<string> {
  if (isDayWord(text)) return dayOfWord(text, localDay(await now()), 'past') ?? text
  if (durationForm.test(text)) return localDay((await now()) - durationMs(text, ''))
  return text
}

/** Whether `parseDay` reads it, or it is a date. */
export const isDay = (text: string): boolean =>
  isDayWord(text) || durationForm.test(text) || (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)))

/** The time that a word such as `monday` meant; undefined for a text that always means the same. */
export function describeDayWord(text: string, time: string, utc: boolean): string | undefined {
  if (!isDayWord(text)) return undefined
  return utc ? time : `${fullTime(time, { utc })} (${localZone()})`
}

/** The day in the local time zone. */
function localDay(at: number): string {
  const time = new Date(at)
  const padded = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'))
  return padded.join('-')
}

/** Milliseconds since the epoch of a time that `parseTime` returned. */
export const parseMilliseconds = (time: string): number =>
  /^\d+$/.test(time) ? Number(time) * 1_000 : Date.parse(time)
