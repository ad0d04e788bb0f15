/** What the flags of a plan take. */
import { describe, expect, it } from 'vitest'
import {
  parseAreas,
  parseLines,
  parseMix,
  parsePeriod,
  parsePlannedHours,
  parseRate,
  parseTalk,
} from '../../src/cli/plan/flag-values.js'
import { parseMoment } from '../../src/cli/plan/moment.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'

const zone = 'America/New_York'
/** A Monday, 09:00 in New York. */
const now = Date.parse('2026-11-23T14:00:00Z')
const iso = (text: string, flag: '--by' | '--start' = '--by', at = zone) =>
  new Date(parseMoment(text, flag, { zone: at, now })).toISOString()

describe('plan --mix', () => {
  it('takes shares that add up to 100, and leaves out those that are not named', () => {
    expect(parseMix('answered=42,voicemail=26,no_answer=28,busy=4')).toEqual({
      ...{ answered: 42, voicemail: 26, no_answer: 28, busy: 4 },
      failed: 0,
    })
    expect(parseMix('answered=33.3, voicemail=33.3, busy=33.4').answered).toBe(33.3)
  })

  it.each([
    ['answered=42,voicemail=26', 'adds up to 68'],
    ['answered=101', 'not a share'],
    ['answered=-5,voicemail=105', 'not a share'],
    ['answered=NaN', 'not a share'],
    ['answered', 'not a share'],
    ['answered=50,answered=50', 'twice'],
    ['anwsered=100', 'no answer "anwsered"'],
    ['', 'no answer ""'],
  ])('refuses %j', (text, problem) => {
    expect(() => parseMix(text)).toThrow(problem)
    expect(() => parseMix(text)).toThrow(UsageError)
  })
})

describe('plan --areas', () => {
  it('takes area codes with weights, 1 by default', () => {
    expect(parseAreas('212:30,415:20.5, 808')).toEqual([
      { area: '212', weight: 30 },
      { area: '415', weight: 20.5 },
      { area: '808', weight: 1 },
    ])
  })

  it.each([
    ['999:1', 'no area code 999'],
    ['900:1', 'premium-rate'],
    ['876:1', 'outside the US and Canada'],
    ['212:0', 'not above 0'],
    ['212:-1', 'not an area code'],
    ['212:1,212:2', 'twice'],
    ['new york', 'not an area code'],
    ['', 'not an area code'],
  ])('refuses %j', (text, problem) => {
    expect(() => parseAreas(text)).toThrow(problem)
  })
})

describe('plan --lines', () => {
  it('sorts the numbers and keeps each once', () => {
    expect(parseLines('20, 5,10,5')).toEqual([5, 10, 20])
    expect(parseLines(undefined)).toBeUndefined()
  })

  it.each(['0', '-5', '1.5', '5,,10', 'many', '1e3', '100001', '99999999999999999999'])('refuses %j', (text) => {
    expect(() => parseLines(text)).toThrow('is not a number of lines from 1 to 100,000')
  })

  it('refuses more numbers than a table shows', () => {
    expect(() => parseLines(Array.from({ length: 21 }, (_, at) => at + 1).join(','))).toThrow('names 21 numbers')
  })
})

describe('plan --by and --start', () => {
  it('are read in the time zone of the organization', () => {
    expect(iso('2026-11-27 17:00')).toBe('2026-11-27T22:00:00.000Z')
    expect(iso('2026-07-27T17:00')).toBe('2026-07-27T21:00:00.000Z')
    expect(iso('2026-11-27 17:00', '--by', 'Pacific/Honolulu')).toBe('2026-11-28T03:00:00.000Z')
    expect(iso('2026-11-27 24:00')).toBe('2026-11-28T05:00:00.000Z')
  })

  it('can name their zone', () => {
    expect(iso('2026-11-27T17:00:00Z')).toBe('2026-11-27T17:00:00.000Z')
    expect(iso('2026-11-27 17:00-08:00')).toBe('2026-11-28T01:00:00.000Z')
    expect(iso('2026-11-27 17:00 America/Chicago')).toBe('2026-11-27T23:00:00.000Z')
    expect(iso('2026-11-27 17:00 PT')).toBe('2026-11-28T01:00:00.000Z')
  })

  it('can be a date: the end of it for a deadline, the beginning for a start', () => {
    expect(iso('2026-11-27')).toBe('2026-11-28T05:00:00.000Z')
    expect(iso('2026-11-27', '--start')).toBe('2026-11-27T05:00:00.000Z')
  })

  it('take a time that the clocks skip as the moment of the change', () => {
    expect(iso('2026-03-08 02:30')).toBe('2026-03-08T07:30:00.000Z')
  })

  it.each([
    ['friday', '--by', '2026-11-28T05:00:00.000Z'],
    ['Fri', '--by', '2026-11-28T05:00:00.000Z'],
    ['friday 17:00', '--by', '2026-11-27T22:00:00.000Z'],
    ['friday 5pm', '--by', '2026-11-27T22:00:00.000Z'],
    ['Friday 5:30 PM CT', '--by', '2026-11-27T23:30:00.000Z'],
    ['friday 12am', '--by', '2026-11-27T05:00:00.000Z'],
    ['2026-11-27 12pm', '--by', '2026-11-27T17:00:00.000Z'],
    ['monday', '--by', '2026-11-24T05:00:00.000Z'],
    ['monday 08:00', '--by', '2026-11-30T13:00:00.000Z'],
    ['today', '--by', '2026-11-24T05:00:00.000Z'],
    ['tomorrow 17:00', '--by', '2026-11-24T22:00:00.000Z'],
    ['thurs', '--start', '2026-11-26T05:00:00.000Z'],
    ['monday', '--start', '2026-11-30T05:00:00.000Z'],
  ] as const)('can be a day by its word, the next one to come: %s for %s', (text, flag, moment) => {
    expect(iso(text, flag)).toBe(moment)
  })

  it('take the weekday of the time zone they name, and of a deadline the first one after the start', () => {
    const lateMonday = Date.parse('2026-11-24T02:00:00Z')
    const by = (text: string, after = lateMonday) =>
      new Date(parseMoment(text, '--by', { zone, now: lateMonday, after })).toISOString()
    expect(by('tuesday 01:00 UTC')).toBe('2026-12-01T01:00:00.000Z')
    expect(by('tuesday 01:00')).toBe('2026-11-24T06:00:00.000Z')
    expect(by('friday', Date.parse('2030-01-07T14:00:00Z'))).toBe('2030-01-12T05:00:00.000Z')
  })

  it.each([
    'frday',
    'fr',
    'next friday',
    'friday 17',
    'friday 13pm',
    'friday 0am',
    'friday 25:00',
    '2026-02-30 10:00',
    '2026-11-27 25:00',
    '2026-11-27 10:60',
    '17:00',
    '',
    '2026-13-01',
    '1e9',
  ])('refuse %j', (text) => {
    expect(() => iso(text)).toThrow('is not a date with a time')
  })

  it('refuse a zone that does not exist', () => {
    expect(() => iso('2026-11-27 17:00 Mars/Phobos')).toThrow('Mars/Phobos is not a time zone')
    expect(() => iso('2026-11-27 17:00 XYZ')).toThrow('XYZ is not a time zone')
  })
})

describe('plan --talk, --within, --calibrate, --rate-usd and --hours', () => {
  it('take what a person writes', () => {
    expect([parseTalk('75s'), parseTalk('2m'), parseRate('0.12'), parsePeriod('30d', '--calibrate', 90)]).toEqual([
      ...[75, 120, 0.12],
      30 * 86_400_000,
    ])
    expect(parsePlannedHours('mon-fri 09:00-18:00; sat 10:00-14:00').sat).toEqual([['10:00', '14:00']])
  })

  it('refuse the rest', () => {
    expect(() => parseTalk('0s')).toThrow('not between')
    expect(() => parseTalk('3h')).toThrow('not between')
    expect(() => parseTalk('long')).toThrow('not a duration')
    expect(() => parsePeriod('1s', '--within', 365)).toThrow('not between 1 hour and 365 days')
    expect(() => parsePeriod('400d', '--within', 365)).toThrow('not between')
    for (const rate of ['-1', 'free', '1001', 'Infinity']) expect(() => parseRate(rate)).toThrow('not a price')
    expect(() => parsePlannedHours('weekdays 9-5')).toThrow('not a week of calling hours')
  })
})
