/** The time zones of numbers. */
import { describe, expect, it } from 'vitest'
import { areaCodesOf } from '../../src/phone/area-codes.js'
import { knowsZone } from '../../src/phone/offset.js'
import { publishedZones } from '../../src/phone/published-zones.js'
import { zoneCorrections } from '../../src/phone/zone-corrections.js'
import { zoneKey, zonesOfKey } from '../../src/phone/zones.js'

const zonesOf = (number: string) => zonesOfKey(zoneKey(number))

const zonesOfAreaCode = (areaCode: string) =>
  zonesOf(`+1${areaCode}2345678`).map((zone) => zone.replace('America/', ''))

const coastToCoast = ['Chicago', 'Denver', 'Los_Angeles', 'New_York', 'Phoenix']

describe('zones of a number', () => {
  it.each([
    ['212', ['New_York']],
    ['312', ['Chicago']],
    ['303', ['Denver']],
    ['213', ['Los_Angeles']],
    ['602', ['Phoenix']],
    ['808', ['Pacific/Honolulu']],
    ['915', ['Denver']],
    ['928', ['Denver', 'Phoenix']],
    ['850', ['Chicago', 'New_York']],
    ['448', ['Chicago', 'New_York']],
    ['906', ['Chicago', 'New_York']],
    ['812', ['Chicago', 'New_York']],
    ['930', ['Chicago', 'New_York']],
    ['219', ['Chicago', 'New_York']],
    ['270', ['Chicago', 'New_York']],
    ['364', ['Chicago', 'New_York']],
    ['423', ['Chicago', 'New_York']],
    ['729', ['Chicago', 'New_York']],
    ['689', ['New_York']],
    ['208', ['Boise', 'Denver', 'Los_Angeles']],
    ['541', ['Denver', 'Los_Angeles']],
    ['458', ['Denver', 'Los_Angeles']],
    ['907', ['Adak', 'Anchorage', 'Juneau']],
    ['924', ['Chicago']],
    ['436', ['New_York']],
    ['471', ['Chicago']],
    ['604', ['Vancouver']],
    ['250', ['Creston', 'Dawson_Creek', 'Edmonton', 'Fort_Nelson', 'Vancouver']],
    ['403', ['Edmonton']],
    ['306', ['Edmonton', 'Regina']],
    ['474', ['Edmonton', 'Regina']],
    ['204', ['Winnipeg']],
    ['807', ['Atikokan', 'Toronto', 'Winnipeg']],
    ['416', ['Toronto']],
    ['418', ['Blanc-Sablon', 'Halifax', 'Toronto']],
    ['902', ['Halifax']],
    ['709', ['Goose_Bay', 'St_Johns']],
    ['879', ['Goose_Bay', 'St_Johns']],
    ['800', coastToCoast],
    ['888', coastToCoast],
  ])('%s has %j', (areaCode, zones) => {
    expect(zonesOfAreaCode(areaCode)).toEqual(zones)
  })

  it('has no zone for the reserved test numbers', () => {
    expect(zonesOf('+15550100001')).toEqual([])
    expect(zonesOf('+15550100002')).toEqual([])
    expect(zoneKey('+15550100001')).toBe('')
    expect(zonesOfKey('')).toEqual([])
  })

  it('holds a number of no known area to every zone between the coasts, never to none', () => {
    expect(zonesOf('+442071838750')).toEqual(zonesOf('+18002345678'))
  })

  it('knows the clocks of every area code’s zones', () => {
    const zones = new Set(areaCodesOf('geographic').flatMap((code) => zonesOf(`+1${code}2345678`)))
    expect([...zones].filter((zone) => !knowsZone(zone))).toEqual([])
    expect(zones.size).toBeGreaterThan(30)
  })

  it('leaves no geographic area code to the rule for unknown ones', () => {
    const listed = new Set(
      [...publishedZones.map(([, codes]) => codes), ...zoneCorrections.map((row) => row.areaCodes)].flatMap((codes) =>
        codes.split(/\s+/),
      ),
    )
    expect(areaCodesOf('geographic').filter((code) => !listed.has(code))).toEqual([])
  })

  it('corrects an area code at most once, and only where the published data differ', () => {
    const published = new Map(
      publishedZones.flatMap(([zones, codes]) => codes.split(/\s+/).map((code) => [code, zones] as const)),
    )
    const corrected = zoneCorrections.flatMap(({ areaCodes }) => areaCodes.split(' '))
    expect(new Set(corrected).size).toBe(corrected.length)
    for (const { areaCodes, zones } of zoneCorrections)
      for (const code of areaCodes.split(' ')) expect([code, published.get(code)]).not.toEqual([code, zones])
  })

  it('gives numbers with the same zones the same key, and reads one of an earlier version', () => {
    expect(zoneKey('+12125557812')).toBe(zoneKey('+13055557812'))
    expect(zoneKey('+12125557812')).not.toBe(zoneKey('+13125557812'))
    expect(zonesOfKey('America/Denver Europe/Paris')).toEqual(['America/Denver', 'Europe/Paris'])
  })
})
