/** Calls an hour by day, as one line of small bars for each day. */
import { dayOf } from '../../../phone/local-day.js'
import { localParts } from '../../../phone/offset.js'
import type { WorldResult } from '../../../plan/planned-world.js'
import type { ChartDay } from './plan-result.js'

const hourMs = 3_600_000
const hoursOfDay = 24

/** Adds up calls by the local day and hour. */
export function chartDays(hours: WorldResult['hours'], zone: string): ChartDay[] {
  const days = new Map<string, number[]>()
  for (const [hour, calls] of hours) {
    const at = hour * hourMs
    const day = dayOf(zone, at)
    const counts = days.get(day) ?? new Array<number>(hoursOfDay).fill(0)
    const local = Math.floor(localParts(zone, at).minute / 60)
    counts[local] = (counts[local] ?? 0) + calls
    days.set(day, counts)
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, counts]) => ({ day, hours: counts }))
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** One line for each day: `Mon 11-23  ▁▃▅█▇  1,234`. Hours without any call on any day at the edges are left out. */
export function renderChart(days: readonly ChartDay[], width: number): string[] {
  const used = Array.from({ length: hoursOfDay }, (_, hour) => days.some(({ hours }) => (hours[hour] ?? 0) > 0))
  const [first, last] = [used.indexOf(true), used.lastIndexOf(true)]
  if (first < 0) return []
  const highest = Math.max(...days.flatMap(({ hours }) => hours))
  const totals = days.map(({ hours }) => hours.reduce((sum, calls) => sum + calls, 0).toLocaleString('en-US'))
  const totalWidth = Math.max(...totals.map((total) => total.length))
  const lines = days.map(({ day, hours }, at) => {
    const bars = hours.slice(first, last + 1).map((calls) => barOf(calls, highest))
    const line = `${nameOf(day)}  ${bars.join('')}`
    const total = `  ${(totals[at] ?? '').padStart(totalWidth)}`
    return line.length + total.length <= width ? line + total : line
  })
  const from = String(first).padStart(2, '0')
  const until = String(last + 1).padStart(2, '0')
  const scale = `${from}${' '.repeat(Math.max(0, last + 1 - first - 4))}${until}`
  return [`${' '.repeat(nameWidth)}  ${scale}`, ...lines]
}

/** A call is always visible. */
const barOf = (calls: number, highest: number): string =>
  calls === 0 ? ' ' : (levels[Math.min(levels.length - 1, Math.floor((calls / highest) * levels.length))] ?? '▁')

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const nameWidth = 'Mon 11-23'.length

const nameOf = (day: string): string =>
  `${weekdayNames[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? ''} ${day.slice(5)}`
