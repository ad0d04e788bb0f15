/** A moment as a person writes it. */
import { isDateTime } from '../../output/time.js'
import { UsageError } from '../errors/usage-error.js'

/** Gives it back as it came. Throws `UsageError` for what is none: ISO 8601 with its zone, or unix seconds. */
export function parseDateTime(text: string, flag: string): string {
  if (/^\d{1,11}$/.test(text) || (isDateTime(text) && !Number.isNaN(Date.parse(text)))) return text
  throw new UsageError(`${flag} ${text} is not a date-time.`, 'It reads like 2026-10-01T09:30:00Z, with its zone.')
}

/** Of a moment that was read, in milliseconds since the epoch. */
export const parseMilliseconds = (moment: string): number =>
  /^\d+$/.test(moment) ? Number(moment) * 1_000 : Date.parse(moment)
