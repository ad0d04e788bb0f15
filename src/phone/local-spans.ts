/** Converts local times of a calendar day to UTC, also on days when the clocks change. */
import { offsetMinutes } from './offset.js'
import type { Span } from './spans.js'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A stretch of time with one UTC offset. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly offsetMs: number
}

/**
 * The spans in which the zone's clocks show a minute of the day from `start` up to `end`. `midnight` names the day:
 * it is the beginning of that date if the zone were UTC. A skipped minute is in no span, a repeated one in two.
 */
export function spansOfDay(zone: string, midnight: number, start: number, end: number): Span[] {
  return listStretches(zone, midnight - dayMs, midnight + 2 * dayMs).flatMap(({ from, to, offsetMs }) => {
    const opens = Math.max(from, midnight + start * minuteMs - offsetMs)
    const closes = Math.min(to, midnight + end * minuteMs - offsetMs)
    return opens < closes ? [[opens, closes] as const] : []
  })
}

/** No zone changes its clocks twice in three days. */
function listStretches(zone: string, from: number, to: number): Stretch[] {
  const before = offsetMinutes(zone, from)
  const after = offsetMinutes(zone, to)
  if (before === after) return [{ from, to, offsetMs: before * minuteMs }]
  const change = changeBetween(zone, from, to)
  return [
    { from, to: change, offsetMs: before * minuteMs },
    { from: change, to, offsetMs: after * minuteMs },
  ]
}

function changeBetween(zone: string, from: number, to: number): number {
  const before = offsetMinutes(zone, from)
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetMinutes(zone, middle) === before) low = middle
    else high = middle
  }
  return high
}
