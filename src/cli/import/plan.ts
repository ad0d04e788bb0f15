/**
 * Where a file is cut into batches: a function of the place in the file and of what was learned on the way, so that the
 * same file is cut the same way again and each batch meets its own Idempotency-Key.
 */

/** Rows that are cut by one measure. */
export interface Stretch {
  /** Leads sent before it begins. */
  from: number
  /** New leads a minute; null while nobody knows: the batches then grow step by step. */
  rate: number | null
}

export type Plan = readonly Stretch[]

/**
 * Sizes that allowances usually have. Batches of the beginning end at them, so that the first refusal tells an
 * allowance below the usual sixty exactly, and the first sixty leads go out at once nevertheless.
 */
const usual = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20, 24, 25, 30, 35, 40, 45, 50, 55, 60]

/** Of what was sent already: the refusal of such a batch tells the allowance to within one and a half in a hundred. */
const growth = 1 / 75

/** How many leads the batch holds that comes after so many; `most` is what any batch may hold. */
export function batchSize(plan: Plan, sent: number, most: number): number {
  const at = plan.findLastIndex(({ from }) => from <= sent)
  const { from, rate } = plan[at] ?? { from: 0, rate: null }
  const size = rate === null ? growingSize(sent - from) : sizeAtRate(sent - from, rate, most)
  const next = plan[at + 1]
  return Math.max(1, Math.min(size, most, next === undefined ? size : next.from - sent))
}

function growingSize(sent: number): number {
  const next = usual.find((size) => size > sent)
  return next === undefined ? Math.max(1, Math.floor(sent * growth)) : next - sent
}

/** As few batches as carry a minute's leads, and of like size: together they are the whole of it. */
function sizeAtRate(sent: number, rate: number, most: number): number {
  const batches = Math.ceil(rate / most)
  const inMinute = sent % rate
  const end = (batch: number) => Math.floor((batch * rate) / batches)
  let batch = Math.floor((inMinute * batches) / rate)
  while (end(batch) <= inMinute) batch++
  return end(batch) - inMinute
}
