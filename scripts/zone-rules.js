/**
 * Writes src/phone/zone-rules.ts: the clocks of every zone of the United States and Canada from 2020 on, from the data of
 * moment-timezone, which follow the tz database sooner than those of Node.
 *
 * node scripts/zone-rules.js
 */
import { createRequire } from 'node:module'
import { writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'

const require = createRequire(import.meta.url)
const moment = require('moment-timezone')
const packed = require('moment-timezone/data/packed/latest.json')
const { version } = require('moment-timezone/package.json')

const from = Date.UTC(2020, 0, 1)
const to = Date.UTC(2100, 0, 1)
const minuteMs = 60_000

const ours = new Set(['US', 'CA'].flatMap((country) => moment.tz.zonesForCountry(country)))
const foreign = new Set(moment.tz.countries().flatMap((country) => moment.tz.zonesForCountry(country)))
const names = new Set(ours)
for (const link of packed.links) {
  const pair = link.split('|')
  if (!pair.some((name) => ours.has(name))) continue
  for (const name of pair) if (/^(America|US|Canada)\//.test(name) && !foreign.has(name)) names.add(name)
}

const sundayFrom = (midnight) => midnight + ((7 - new Date(midnight).getUTCDay()) % 7) * 86_400_000

/** When a zone with this standard time changes its clocks, by the rule that offset.ts applies. */
function changes(standard) {
  const all = []
  for (let year = 2019; year <= 2100; year++) {
    const toUtc = (clock) => clock - standard * minuteMs
    all.push([toUtc(sundayFrom(Date.UTC(year, 2, 8)) + 120 * minuteMs), standard + 60])
    all.push([toUtc(sundayFrom(Date.UTC(year, 10, 1)) + 60 * minuteMs), standard])
  }
  return all
}

/** The true changes of a zone: `[instant, minutes east of UTC from then on]`, the first one at the beginning. */
function history(name) {
  const { untils, offsets } = moment.tz.zone(name)
  const first = untils.findIndex((until) => until === null || until > from)
  const rows = [[from, -offsets[first]]]
  for (let i = first; untils[i] !== null && untils[i] < to; i++)
    if (offsets[i + 1] !== offsets[i]) rows.push([untils[i], -offsets[i + 1]])
  return rows
}

/** Eras `[until, standard, savesDaylight]`: a new one begins wherever the zone leaves what its era foretold. */
function erasOf(name) {
  const rows = history(name)
  const eras = []
  let at = 0
  while (at < rows.length) {
    const [begin, offset] = rows[at]
    const standard = Math.min(offset, rows[at + 1]?.[1] ?? offset)
    const foretold = changes(standard).filter(([instant]) => instant > begin && instant < to)
    const savesDaylight = rows.length > at + 1
    let kept = 0
    if (savesDaylight) while (kept < foretold.length && String(rows[at + 1 + kept]) === String(foretold[kept])) kept++
    at += kept + 1
    // The clocks stop: what the last change of the era set is what stays, so the new era may begin with it.
    const stopped = savesDaylight && kept > 0 && at === rows.length
    if (stopped && kept < foretold.length) at--
    const until = at < rows.length ? rows[at][0] : Infinity
    if (until <= begin) throw new Error(`${name} keeps to no rule known here.`)
    eras.push([until, standard, savesDaylight])
  }
  return eras
}

const namesByEras = new Map()
for (const name of [...names].sort()) {
  const eras = erasOf(name)
  const code = eras.map(([until, standard, saves]) => {
    const end =
      until === Infinity ? 'Infinity' : `Date.parse('${new Date(until).toISOString().replace(':00.000Z', 'Z')}')`
    return `[${end}, ${standard}, ${saves}]`
  })
  const key = `[${code.join(', ')}]`
  namesByEras.set(key, [...(namesByEras.get(key) ?? []), name])
}

const wrapped = (words) => {
  const lines = ['']
  for (const word of words) {
    if (lines.at(-1).length + word.length > 108) lines.push('')
    lines.push(`${lines.pop()} ${word}`.trim())
  }
  return lines.length === 1 ? `'${lines[0]}'` : `\`${lines.join('\n     ')}\``
}

const module = `/**
 * The clocks of the United States and Canada from 2020 on. Made by scripts/zone-rules.js from the tz database, version
 * ${moment.tz.dataVersion}, as carried by moment-timezone ${version}; checked there, change by change, until 2100.
 */

/** Until an instant: minutes east of UTC in standard time, and whether an hour is added in summer. */
export type Era = readonly [until: number, standard: number, savesDaylight: boolean]

export const zoneRules: readonly (readonly [zones: string, eras: readonly Era[]])[] = [
${[...namesByEras].map(([eras, zones]) => `[${wrapped(zones)}, ${eras}],`).join('\n')}
]
`

const file = new URL('../src/phone/zone-rules.ts', import.meta.url)
writeFileSync(file, await format(module, { ...(await resolveConfig(file)), parser: 'typescript' }))
