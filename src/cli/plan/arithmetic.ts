/** The estimate on the back of an envelope: calls x minutes / lines, within the hours in which anybody can be called. */
import { callingWindowsOf, type HoursFacts } from '../../dialing/eligibility.js'
import { unionSpans, type Span } from '../../phone/spans.js'

/** The time between two moments at which leads of some of the zones can be called. */
export function openSpans(hours: HoursFacts, zones: readonly string[], from: number, to: number): readonly Span[] {
  return unionSpans(zones.flatMap((zone) => spansOf(hours, zone, from, to)))
}

function spansOf(hours: HoursFacts, zone: string, from: number, to: number): Span[] {
  const windows = callingWindowsOf(hours, zone)
  if (!windows) return [[from, to]]
  const spans: Span[] = []
  for (let at = from; at < to;) {
    const span = windows.windowFrom(at)
    if (!span || span[0] >= to) break
    spans.push([Math.max(span[0], from), Math.min(span[1], to)])
    at = span[1]
  }
  return spans
}

export const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0)

/** The number of lines below which the calls do not fit into the open time. */
export const leastLines = (lineMs: number, openMs: number): number =>
  openMs <= 0 ? Infinity : Math.max(1, Math.ceil(lineMs / openMs))

/** When these lines would have made all calls if they were always busy; null if not before the end of the spans. */
export function arithmeticEnd(lineMs: number, lines: number, spans: readonly Span[]): number | null {
  let left = lineMs / lines
  for (const [from, to] of spans) {
    if (left <= to - from) return Math.round(from + left)
    left -= to - from
  }
  return null
}
