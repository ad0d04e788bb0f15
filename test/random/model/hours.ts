/** Calling hours, computed minute by minute from the platform's time zone data. */
import type { CallingHours } from '../../../src/contract/base/calling-hours.js'

export const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** Hours repeat weekly, so a campaign that does not open in two weeks never does. */
const minutesAhead = 15 * 24 * 60

/** The platform's clock of one zone. Caches its answers, because they are slow. */
class ZoneClock {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  constructor(timeZone: string) {
    const [year, month, day, hour, minute] = Array<'numeric'>(5).fill('numeric')
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', year, month, day, hour, minute })
  }

  /** Milliseconds ahead of UTC. Offsets change at a quarter of an hour only. */
  offset(at: number): number {
    const quarter = Math.floor(at / quarterMs)
    let offset = this.#offsets.get(quarter)
    if (offset === undefined) this.#offsets.set(quarter, (offset = this.#ask(quarter * quarterMs)))
    return offset
  }

  #ask(at: number): number {
    const parts = Object.fromEntries(this.#format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute) - at
  }
}

const clocks = new Map<string, ZoneClock>()

function clockOf(zone: string): ZoneClock {
  let clock = clocks.get(zone)
  if (!clock) clocks.set(zone, (clock = new ZoneClock(zone)))
  return clock
}

export interface Hours {
  calling_hours: CallingHours
  any_hour: boolean
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** For each weekday from Sunday on, whether each minute of the day is open. */
const openMinutes = new WeakMap<CallingHours, boolean[][]>()

function minutesOf(hours: CallingHours): boolean[][] {
  let minutes = openMinutes.get(hours)
  if (!minutes) {
    minutes = weekdays.map((day) => {
      const windows = (hours[day] ?? []).map(([from, until]) => [minuteOf(from), minuteOf(until)] as const)
      const isIn = (minute: number) => windows.some(([from, until]) => from <= minute && minute < until)
      return Array.from({ length: 24 * 60 }, (_, minute) => minute >= 8 * 60 && minute < 21 * 60 && isIn(minute))
    })
    openMinutes.set(hours, minutes)
  }
  return minutes
}

/** Rules D1 and D3. */
export function isOpen(zones: readonly string[], { calling_hours, any_hour }: Hours, at: number): boolean {
  if (any_hour) return true
  const minutes = minutesOf(calling_hours)
  return zones.every((zone) => {
    const local = Math.floor((at + clockOf(zone).offset(at)) / minuteMs)
    // January 1, 1970 was a Thursday.
    const day = (Math.floor(local / (24 * 60)) + 4) % 7
    return minutes[day]?.[local % (24 * 60)] === true
  })
}

/** `from` if a call may be made then, else the next whole minute when it may; null if never. */
export function firstOpen(zones: readonly string[], hours: Hours, from: number): number | null {
  if (isOpen(zones, hours, from)) return from
  const first = Math.ceil(from / minuteMs) * minuteMs
  for (let n = 0; n < minutesAhead; n++) {
    const at = first + n * minuteMs
    if (isOpen(zones, hours, at)) return at
  }
  return null
}
