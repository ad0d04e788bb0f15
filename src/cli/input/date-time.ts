/** A time as a person writes it: a date-time, a date, or a duration before now. */
import { isDateTime } from '../../output/time.js'
import { durationMs } from '../base/flags.js'
import { UsageError } from '../errors/usage-error.js'

/**
 * Returns a date-time with its zone, or seconds since 1970, for the API. A date means its start for `--since` and its
 * end for `--until`, in the local time zone. `now` is read only for a duration such as `7d`.
 */
export async function parseTime(text: string, flag: string, now: () => Promise<number>): Promise<string> {
  if (/^\d{1,11}$/.test(text) || (isDateTime(text) && !Number.isNaN(Date.parse(text)))) return text
  if (/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(text)) return new Date((await now()) - durationMs(text, flag)).toISOString()
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  const start = new Date(Number(year), Number(month) - 1, Number(day))
  const isDate = year !== '' && start.getMonth() === Number(month) - 1 && start.getDate() === Number(day)
  if (!isDate)
    throw new UsageError(
      `${flag} ${text} is not a date-time, a date or a duration.`,
      'Use a form like 2026-10-01T09:30:00Z, 2026-10-01, or 7d for seven days ago.',
    )
  if (flag === '--until') start.setHours(23, 59, 59, 999)
  return start.toISOString()
}

/** Milliseconds since the epoch of a time that `parseTime` returned. */
export const parseMilliseconds = (time: string): number =>
  /^\d+$/.test(time) ? Number(time) * 1_000 : Date.parse(time)
