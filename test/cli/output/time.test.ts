/** Times as people read them. */
import { describe, expect, it } from 'vitest'
import { isDateTime, shortTime } from '../../../src/output/time.js'

const now = Date.UTC(2026, 9, 1, 12)

describe('a time', () => {
  it.each([
    ['2026-10-01T12:00:00.000Z', 'now'],
    ['2026-10-01T11:59:59Z', '1 second ago'],
    ['2026-10-01T12:04:00Z', 'in 4 minutes'],
    ['2026-10-01T08:00:00-04:00', 'now'],
    ['2026-09-30T13:00:00Z', '23 hours ago'],
    ['soon', 'soon'],
  ])('%s is "%s"', (iso, shown) => expect(shortTime(iso, { now, utc: false }).text).toBe(shown))

  it('is local from 24 hours on, and ISO in UTC if asked for', () => {
    const iso = '2026-09-29T11:00:00Z'
    const local = new Date(iso)
    const clock = [local.getHours(), local.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
    expect(shortTime(iso, { now, utc: false })).toEqual({ text: `2026-09-${local.getDate()} ${clock}`, isLocal: true })
    expect(shortTime(iso, { now, utc: true })).toEqual({ text: '2026-09-29T11:00:00.000Z', isLocal: false })
  })

  it('is told from other text by its form', () => {
    expect(['2026-10-01T12:00:00.000Z', '2026-10-01T12:00Z', '2026-10-01T12:00:00+02:00'].every(isDateTime)).toBe(true)
    expect(['2026-10-01', '2026', '+12125557812', 'T', null, 7].some(isDateTime)).toBe(false)
  })
})
