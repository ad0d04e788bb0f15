/**
 * Cuts the published prefix-to-zone data of google/libphonenumber (resources/timezones/map_data.txt) down to the area
 * codes of the United States and Canada, one set of zones for each, and writes src/phone/published-zones.ts.
 *
 * node --import tsx scripts/published-zones.js <map_data.txt> "<where it came from, and its date>"
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { areaCodesOf } from '../src/phone/area-codes.ts'

const [, , published, source] = process.argv
if (!published || !source) throw new Error('Give the file and a line about its source and date.')

const zonesByAreaCode = new Map()
for (const line of readFileSync(published, 'utf8').split('\n')) {
  const [, areaCode, zones] = /^1(\d{3})\d*\|(\S+)$/.exec(line) ?? []
  if (!areaCode) continue
  const known = zonesByAreaCode.get(areaCode) ?? new Set()
  for (const zone of zones.split('&')) known.add(zone)
  zonesByAreaCode.set(areaCode, known)
}

const areaCodesByZones = new Map()
for (const areaCode of areaCodesOf('geographic')) {
  const zones = zonesByAreaCode.get(areaCode)
  if (!zones) continue
  const key = [...zones].sort().join(' ')
  areaCodesByZones.set(key, [...(areaCodesByZones.get(key) ?? []), areaCode])
}

const codesPerLine = 27
const wrapped = (codes) =>
  codes.length <= codesPerLine
    ? `'${codes.join(' ')}'`
    : `\`${codes.flatMap((code, i) => [i === 0 ? '' : i % codesPerLine ? ' ' : '\n     ', code]).join('')}\``

const rows = [...areaCodesByZones].sort(([a], [b]) => (a < b ? -1 : 1))
const module = `/**
 * The published time zones of area codes: for each, all zones that any of its exchanges is given. Made by
 * scripts/published-zones.js; mistakes are corrected in zone-corrections.ts, never here.
 *
 * Source: ${source}. Apache License 2.0.
 */
export const publishedZones: readonly (readonly [zones: string, areaCodes: string])[] = [
${rows.map(([zones, codes]) => `['${zones}', ${wrapped(codes)}],`).join('\n')}
]
`

const file = new URL('../src/phone/published-zones.ts', import.meta.url)
writeFileSync(file, await format(module, { ...(await resolveConfig(file)), parser: 'typescript' }))
