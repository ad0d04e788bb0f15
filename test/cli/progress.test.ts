/** Progress lines and durations. */
import { describe, expect, it } from 'vitest'
import { formatDuration, Progress } from '../../src/output/progress.js'

describe('progress', () => {
  function progressAt(atTerminal: boolean) {
    const written: string[] = []
    const clock = { now: 0 }
    const progress = new Progress({
      what: 'leads',
      atTerminal,
      width: 80,
      write: (text) => void written.push(text),
      now: () => clock.now,
    })
    const tell = (at: number, done: number) => {
      clock.now = at
      progress.update({ done, total: 200, note: '58 a minute' })
    }
    return { written, progress, tell }
  }

  it('says nothing about work of less than a second', () => {
    const { written, progress, tell } = progressAt(true)
    for (const at of [1, 500, 999]) tell(at, 10)
    progress.clear()
    expect(written).toEqual([])
  })

  it('redraws one line at a terminal, and takes it away', () => {
    const { written, progress, tell } = progressAt(true)
    for (const at of [2000, 2010, 2200]) tell(at, 100)
    progress.clear()
    const line = '\r\u001b[K[============            ] 50%, 100 of 200 leads, 2s left, 58 a minute'
    expect(written).toEqual([line, line, '\r\u001b[K'])
  })

  it('prints a line now and then elsewhere', () => {
    const { written, tell } = progressAt(false)
    for (let at = 0; at <= 25_000; at += 100) tell(at, 50)
    expect(written).toHaveLength(2)
    expect(written[0]).toMatch(/^\[.*\] 25%, 50 of 200 leads, 30s left, 58 a minute\n$/)
  })

  it.each([
    [400, '0s'],
    [59_400, '59s'],
    [61_000, '1m 1s'],
    [7_260_000, '2h 1m'],
  ])('tells %i ms as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})
