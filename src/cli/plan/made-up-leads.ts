/** Leads for a plan without a file: numbers that could exist, spread over area codes by weight. */
import type { PlannedLead } from '../../plan/planned-world.js'
import type { AreaWeight } from './flag-values.js'

/** Without `--areas`: about how people are spread over the time zones of the continental US. */
export const usualAreas: readonly AreaWeight[] = [
  { area: '212', weight: 47 },
  { area: '312', weight: 29 },
  { area: '303', weight: 7 },
  { area: '213', weight: 17 },
]

export const madeUpLeadsMax = 1_000_000

/** Exchanges from 222 on, without those that are not for subscribers. */
const exchanges = Array.from({ length: 778 }, (_, at) => 222 + at).filter(
  (nxx) => nxx % 100 !== 11 && nxx !== 555 && nxx !== 976,
)
const numbersOfExchange = 10_000

/** The areas take turns, so that the list is mixed like a real one and each part of it has the same weights. */
export function makeUpLeads(count: number, areas: readonly AreaWeight[]): PlannedLead[] {
  const total = areas.reduce((sum, { weight }) => sum + weight, 0)
  const made = areas.map(({ area, weight }) => ({ area, share: weight / total, used: 0 }))
  return Array.from({ length: count }, (_, at) => {
    // The area that is furthest behind its share.
    const next = made.reduce((a, b) => (b.share * (at + 1) - b.used > a.share * (at + 1) - a.used ? b : a))
    return { phone: numberOf(next.area, next.used++) }
  })
}

/** Neighboring numbers are in different exchanges. */
function numberOf(area: string, nth: number): string {
  const exchange = exchanges[nth % exchanges.length] ?? 222
  const line = (Math.floor(nth / exchanges.length) * 7 + nth) % numbersOfExchange
  return `+1${area}${exchange}${String(line).padStart(4, '0')}`
}
