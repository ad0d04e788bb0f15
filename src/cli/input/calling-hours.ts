/** Parses calling hours: `mon-fri=09:00-12:00,13:00-17:00`, `sat=closed`. */
import type { CallingHours } from '../../contract/base/calling-hours.js'
import { UsageError } from '../errors/usage-error.js'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** Returns the whole week. Days that are not given are closed. */
export function parseCallingHours(texts: readonly string[], flag: string): CallingHours {
  const week: CallingHours = {}
  for (const text of texts) {
    const [, first, last = first, hours] = /^([a-z]{3})(?:-([a-z]{3}))?=(.+)$/.exec(text) ?? []
    const [from, until] = [dayNumber(first), dayNumber(last)]
    const windows =
      hours === undefined || hours === 'closed'
        ? []
        : hours.split(',').map((window) => /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(window))
    if (hours === undefined || from < 0 || until < from || windows.includes(null)) {
      throw new UsageError(
        `${flag} ${text} is not a valid calling time.`,
        `It reads like ${flag} mon-fri=09:00-12:00,13:00-17:00, or ${flag} sat=closed.`,
      )
    }
    for (const day of days.slice(from, until + 1))
      week[day] = windows.map((window) => [window?.[1] ?? '', window?.[2] ?? ''])
  }
  return week
}

const dayNumber = (name: string | undefined): number => days.findIndex((day) => day === name)
