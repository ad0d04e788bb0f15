/** The time zones of a phone number, by its area code (rule D1). */
import { areaCodesOf } from './area-codes.js'
import { reservedNumbers } from './number.js'
import { publishedZones } from './published-zones.js'
import { zoneCorrections } from './zone-corrections.js'

/** A set of zones. Area codes with the same zones share one. */
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

const splitWords = (text: string) => text.trim().split(/\s+/)

const nowhere = zoneSet([])

/**
 * A number without an area may be called only when every zone between the coasts allows it. The same applies to an
 * area code in no table, so that a missing row never opens a window.
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
  for (const areaCode of splitWords(areaCodes)) setsByAreaCode.set(areaCode, zoneSet(splitWords(zones)))
for (const { areaCodes, zones } of zoneCorrections)
  for (const areaCode of splitWords(areaCodes)) setsByAreaCode.set(areaCode, zoneSet(splitWords(zones)))
for (const areaCode of areaCodesOf('toll_free')) setsByAreaCode.set(areaCode, coastToCoast)

const setOf = (e164: string): ZoneSet =>
  reservedNumbers.has(e164) ? nowhere : (setsByAreaCode.get(e164.slice(2, 5)) ?? coastToCoast)

/**
 * All zones of the number's area code, as one text that groups leads. A call needs all of them to allow it. Empty for
 * the reserved test numbers, which can be called at any hour.
 */
export const zoneKey = (e164: string): string => setOf(e164).key

/** The IANA names behind a key of `zoneKey`, sorted. Also reads keys of earlier versions. */
export const zonesOfKey = (key: string): readonly string[] =>
  setsByKey.get(key)?.zones ?? Object.freeze(splitWords(key))
