/** One row of the benchmark table, with its figures. */
export interface Row {
  what: string
  /** What the figure is compared with, measured in the same run. */
  beside: string
  result: string
  budget: string
}

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

export const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)}%`

export const times = (part: number, whole: number): string => `${(part / whole).toFixed(2)} times`

export const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en-US')} a second`

/** Duration of the work in milliseconds. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
