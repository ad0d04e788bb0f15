/** Calling windows: the campaign's hours within the legal hours of every time zone of the number (rules D1 and D2). */
import { spansOfDay } from './local-spans.js'
import { weekdays, type Weekday } from './offset.js'
import { intersectSpans, unionSpans, spanAtOrAfter, type Span } from './spans.js'

/**
 * A campaign's hours: 24-hour `HH:MM`, the end exclusive, `24:00` allowed as an end, any number of windows a day. A
 * missing day is closed.
 */
export type CallingHours = Partial<Record<Weekday, readonly (readonly [start: string, end: string])[]>>

/** Instants are milliseconds UTC. */
export interface CallingWindows {
  isOpen(at: number): boolean
  /**
   * The first moment from `at` on when a call may be made: `at` itself inside a window, else the minute when the next
   * one opens. Null if none opens within a year and a month.
   */
  firstOpen(at: number): number | null
  /** When the window around `at` closes; null outside a window, or if it never closes. */
  closesAt(at: number): number | null
  /** The first moment after `at` when a window opens or closes; null if nothing changes any more. */
  nextChange(at: number): number | null
  /** The window around `at`, else the next one; null if there is none within a year and a month. */
  windowFrom(at: number): Span | null
  /** When the last window before `at` closed; null if none closed within a year and a month. */
  closedSince(at: number): number | null
}

/** For the reserved test numbers, and campaigns set to call at any hour (rule D3). */
const alwaysOpen: CallingWindows = {
  isOpen: () => true,
  firstOpen: (at) => at,
  closesAt: () => null,
  nextChange: () => null,
  windowFrom: () => null,
  closedSince: () => null,
}

const everyDay: [start: string, end: string][] = [['08:00', '21:00']]

/** The legal hours on every day: the widest that a campaign can use, and those of a new campaign (rule D1). */
export const legalHours = {
  mon: everyDay,
  tue: everyDay,
  wed: everyDay,
  thu: everyDay,
  fri: everyDay,
  sat: everyDay,
  sun: everyDay,
} satisfies CallingHours

/** The legal hours, 08:00 to 21:00 (rule D1). */
const earliestMinute = 8 * 60
const latestMinute = 21 * 60

const dayMs = 24 * 60 * 60_000
const weekMs = 7 * dayMs
const weeksAhead = 57
/** Enough to look a year ahead with every week kept. */
const weeksKept = 64
const windowsKept = 2048

const made = new Map<string, CallingWindows>()

/**
 * The windows of a number with these zones in a campaign with these hours. Equal arguments give the same object while
 * it is in use. Throws a RangeError for a malformed time.
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

  windowFrom(at: number): Span | null {
    return this.#spanAtOrAfter(at) ?? null
  }

  closedSince(at: number): number | null {
    const week = Math.floor(at / weekMs)
    for (let back = 0; back < weeksAhead; back++) {
      const span = this.#spansOf(week - back).findLast(([, end]) => end <= at)
      if (span) return span[1]
    }
    return null
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

  /** Every span that overlaps `[from, to)`, not cut at its ends. */
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
  if (start === null || end === null) throw new RangeError(`"${from}" to "${to}" is not a window of a day.`)
  return [Math.max(start, earliestMinute), Math.min(end, latestMinute)]
}

const timeOfDay = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/

/** Minutes from midnight, 1440 for `24:00`; null if the text is not a time of day. */
function minuteOfDay(time: string): number | null {
  const found = timeOfDay.exec(time)
  if (!found) return null
  return time === '24:00' ? 1440 : Number(found[1]) * 60 + Number(found[2])
}
