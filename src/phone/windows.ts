/** When a lead may be called: its campaign's hours, in every time zone of its number at once. */
import { spansOfDay } from './local-spans.js'
import { weekdays, type Weekday } from './offset.js'
import { intersectSpans, unionSpans, spanAtOrAfter, type Span } from './spans.js'

/**
 * A campaign's hours as they are written. By decision: 24-hour times, `HH:MM`, the end exclusive, `24:00` allowed as an
 * end, any number of windows a day; a day that is missing is closed.
 */
export type CallingHours = Partial<Record<Weekday, readonly (readonly [start: string, end: string])[]>>

/** Instants are milliseconds UTC. */
export interface CallingWindows {
  isOpen(at: number): boolean
  /**
   * The first moment from `at` on that a call may be made: `at` itself inside a window, else the whole minute the next
   * one opens. Null when none opens within a year and a month.
   */
  firstOpen(at: number): number | null
  /** When the window that `at` is in closes; null outside any, or when it never closes. */
  closesAt(at: number): number | null
  /** The first moment after `at` at which a window opens or closes; null when nothing changes any more. */
  nextChange(at: number): number | null
}

/** No hour is closed: the reserved test numbers, and campaigns set to call at any hour (specification, Dialing rules, 3). */
const alwaysOpen: CallingWindows = {
  isOpen: () => true,
  firstOpen: (at) => at,
  closesAt: () => null,
  nextChange: () => null,
}

/** Specification, Dialing rules, 1: never before 8 AM or after 9 PM. */
const earliestMinute = 8 * 60
const latestMinute = 21 * 60

const dayMs = 24 * 60 * 60_000
const weekMs = 7 * dayMs
const weeksAhead = 57
/** Enough to look a year ahead without forgetting on the way. */
const weeksKept = 64
const windowsKept = 2048

const made = new Map<string, CallingWindows>()

/**
 * The windows of a number with these zones in a campaign with these hours; the same two give the same object while it
 * is in use. A RangeError where a time of the hours is none.
 */
export function callingWindows(zones: readonly string[], hours: CallingHours): CallingWindows {
  if (zones.length === 0) return alwaysOpen
  const key = `${zones.join(' ')} ${JSON.stringify(hours)}`
  const known = made.get(key)
  if (known) return known
  if (made.size >= windowsKept) made.clear()
  const windows = new WeeklyWindows(zones, hours)
  made.set(key, windows)
  return windows
}

type Minutes = readonly [start: number, end: number]

class WeeklyWindows implements CallingWindows {
  readonly #zones: readonly string[]
  readonly #minutesByWeekday: readonly (readonly Minutes[])[]
  readonly #spansByWeek = new Map<number, readonly Span[]>()

  constructor(zones: readonly string[], hours: CallingHours) {
    this.#zones = zones
    this.#minutesByWeekday = weekdays.map((day) => (hours[day] ?? []).map(lawfulMinutes))
  }

  isOpen(at: number): boolean {
    const span = spanAtOrAfter(this.#spansOf(Math.floor(at / weekMs)), at)
    return span !== undefined && span[0] <= at
  }

  firstOpen(at: number): number | null {
    const span = this.#spanAtOrAfter(at)
    return span ? Math.max(span[0], at) : null
  }

  closesAt(at: number): number | null {
    const span = this.#spanAtOrAfter(at)
    return span && span[0] <= at ? span[1] : null
  }

  nextChange(at: number): number | null {
    const span = this.#spanAtOrAfter(at)
    if (!span) return null
    return span[0] <= at ? span[1] : span[0]
  }

  #spanAtOrAfter(at: number): Span | undefined {
    const week = Math.floor(at / weekMs)
    for (let ahead = 0; ahead < weeksAhead; ahead++) {
      const span = spanAtOrAfter(this.#spansOf(week + ahead), at)
      if (span) return span
    }
    return undefined
  }

  #spansOf(week: number): readonly Span[] {
    const known = this.#spansByWeek.get(week)
    if (known) return known
    if (this.#spansByWeek.size >= weeksKept) this.#spansByWeek.clear()
    const spans = this.#compute(week * weekMs, (week + 1) * weekMs)
    this.#spansByWeek.set(week, spans)
    return spans
  }

  /** Every span with a part in `[from, to)`, whole: it goes beyond the ends where the window does. */
  #compute(from: number, to: number): readonly Span[] {
    return this.#zones
      .map((zone) => this.#spansIn(zone, from - 2 * dayMs, to + 2 * dayMs))
      .reduce(intersectSpans)
      .filter(([start, end]) => start < to && end > from)
  }

  #spansIn(zone: string, from: number, to: number): readonly Span[] {
    const spans: Span[] = []
    for (let midnight = Math.floor(from / dayMs) * dayMs; midnight < to; midnight += dayMs) {
      const minutes = this.#minutesByWeekday[new Date(midnight).getUTCDay()] ?? []
      for (const [start, end] of minutes) spans.push(...spansOfDay(zone, midnight, start, end))
    }
    return unionSpans(spans)
  }
}

function lawfulMinutes([from, to]: readonly [string, string]): Minutes {
  const start = minuteOfDay(from)
  const end = minuteOfDay(to)
  if (start === null || end === null) throw new RangeError(`"${from}" to "${to}" is no window of a day.`)
  return [Math.max(start, earliestMinute), Math.min(end, latestMinute)]
}

const timeOfDay = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

/** Minutes from midnight, 1440 for `24:00`; null when it is no time of day. */
function minuteOfDay(time: string): number | null {
  const found = timeOfDay.exec(time)
  if (!found) return null
  return time === '24:00' ? 1440 : Number(found[1]) * 60 + Number(found[2])
}
