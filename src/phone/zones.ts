/** The time zones of a telephone number, by its area code (specification, Dialing rules, 1). */
import { areaCodesOf } from './area-codes.js'
import { reservedNumbers } from './number.js'
import { publishedZones } from './published-zones.js'
import { zoneCorrections } from './zone-corrections.js'

/** One set of zones: two area codes with the same zones share it. */
interface ZoneSet {
  readonly key: string
  readonly zones: readonly string[]
}

const setsByKey = new Map<string, ZoneSet>()

function zoneSet(names: readonly string[]): ZoneSet {
  const zones = Object.freeze([...new Set(names)].sort())
  const key = zones.join(' ')
  const known = setsByKey.get(key)
  if (known) return known
  const made = { key, zones }
  setsByKey.set(key, made)
  return made
}

const words = (text: string) => text.trim().split(/\s+/)

const nowhere = zoneSet([])

/**
 * By decision a number with no area of its own may be called only when every zone between the coasts may. So may any
 * number that is in no table: a missing row must never open a window.
 */
const coastToCoast = zoneSet([
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/New_York',
  'America/Phoenix',
])

const setsByAreaCode = new Map<string, ZoneSet>()
for (const [zones, areaCodes] of publishedZones)
  for (const areaCode of words(areaCodes)) setsByAreaCode.set(areaCode, zoneSet(words(zones)))
for (const { areaCodes, zones } of zoneCorrections)
  for (const areaCode of words(areaCodes)) setsByAreaCode.set(areaCode, zoneSet(words(zones)))
for (const areaCode of areaCodesOf('toll_free')) setsByAreaCode.set(areaCode, coastToCoast)

const setOf = (e164: string): ZoneSet =>
  reservedNumbers.has(e164) ? nowhere : (setsByAreaCode.get(e164.slice(2, 5)) ?? coastToCoast)

/**
 * Every zone the number's area code touches, as one text to group leads by: a call is made only when all of them allow
 * it. Empty for the reserved test numbers, which no hour holds back.
 */
export const zoneKey = (e164: string): string => setOf(e164).key

/** The IANA names behind a key that `zoneKey` gave, now or in an earlier version, sorted. */
export const zonesOfKey = (key: string): readonly string[] => setsByKey.get(key)?.zones ?? Object.freeze(words(key))
