/** Reads a week of calling hours from one text: `mon-fri 09:00-12:00,13:00-17:00; sat 10:00-14:00`. */
import type { Weekday } from './offset.js'

type WeekOfHours = Partial<Record<Weekday, [start: string, end: string][]>>

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const partForm = /^([a-z]{3})(?:-([a-z]{3}))?[ =]+(\S.*)$/
const windowForm = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d|24:00)$/

const dayNumber = (name: string | undefined): number => days.findIndex((day) => day === name)

/** Days that are not named are closed. Null if the text is not a week of calling hours. */
export function parseHoursText(text: string): WeekOfHours | null {
  const week: WeekOfHours = {}
  for (const part of text.toLowerCase().split(';')) {
    const [, first, last = first, hours = ''] = partForm.exec(part.trim()) ?? []
    const [from, until] = [dayNumber(first), dayNumber(last)]
    if (from < 0 || until < from) return null
    const windows = hours === 'closed' ? [] : hours.split(',').map((window) => parseWindow(window.trim()))
    if (!windows.every((window) => window !== null)) return null
    for (const day of days.slice(from, until + 1)) week[day] = windows
  }
  return week
}

function parseWindow(text: string): [string, string] | null {
  const [, from = '', until = ''] = windowForm.exec(text) ?? []
  return from < until ? [from, until] : null
}
