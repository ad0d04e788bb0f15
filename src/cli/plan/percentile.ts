/** Percentiles over the seeds of a plan. */

/** The share of simulations in which a promised date holds. */
export const promise = 0.9

/** The position, from 0, of the percentile among sorted values: rank ceil(share x count), counted from 1. */
export const rankOf = (count: number, share = promise): number => Math.max(1, Math.ceil(share * count - 1e-9)) - 1

/** The percentile of values, null being later than every number. */
export function percentile(values: readonly (number | null)[], share = promise): number | null {
  return sortedNullsLast(values)[rankOf(values.length, share)] ?? null
}

export const sortedNullsLast = (values: readonly (number | null)[]): (number | null)[] =>
  [...values].sort((a, b) => (a ?? Infinity) - (b ?? Infinity) || 0)

/** In how many simulations a promise may be broken. */
export const failuresAllowed = (count: number, share = promise): number => count - 1 - rankOf(count, share)

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
