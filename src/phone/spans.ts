/**
 * Time spans, each `[start, end)` in milliseconds UTC. A list of spans is sorted, and its spans neither overlap nor
 * touch.
 */

export type Span = readonly [start: number, end: number]

/** Sorts the spans, drops empty ones, and joins those that overlap or touch. */
export function unionSpans(spans: readonly Span[]): readonly Span[] {
  const joined: [number, number][] = []
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (end <= start) continue
    const last = joined.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined
}

/** The time that is in both lists. */
export function intersectSpans(some: readonly Span[], others: readonly Span[]): readonly Span[] {
  const shared: Span[] = []
  let i = 0
  let j = 0
  for (;;) {
    const a = some[i]
    const b = others[j]
    if (!a || !b) return shared
    const start = Math.max(a[0], b[0])
    const end = Math.min(a[1], b[1])
    if (start < end) shared.push([start, end])
    if (a[1] < b[1]) i++
    else j++
  }
}

/** The first span that ends after an instant. */
export function spanAtOrAfter(spans: readonly Span[], at: number): Span | undefined {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.[1] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return spans[low]
}
