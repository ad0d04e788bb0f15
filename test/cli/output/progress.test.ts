/** Progress lines and durations. */
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { formatDuration, Progress } from '../../../src/output/progress.js'

describe('progress', () => {
  function progressAt(atTerminal: boolean, columns = 80) {
    const written: string[] = []
    const screen = Object.assign(new EventEmitter(), { columns })
    const clock = { now: 0 }
    const progress = new Progress({
      what: 'leads',
      terminal: atTerminal ? screen : undefined,
      write: (text) => void written.push(text),
      now: () => clock.now,
    })
    const tell = (at: number, done: number) => {
      clock.now = at
      progress.update({ done, total: 200, note: '58 a minute' })
    }
    return { written, progress, tell, screen }
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

  it.each([
    [200, '[============            ] 50%, 100 of 200 leads, 2s left, 58 a minute'],
    [60, '[======       ] 50%, 100 of 200 leads, 2s left, 58 a minute'],
    [50, '50%, 100 of 200 leads, 2s left, 58 a minute'],
    [40, '[===   ] 50%, 100 of 200 leads, 2s left'],
    [20, '50%, 100 of 200 le…'],
  ])('shortens the bar first on a screen of %i columns', (columns, line) => {
    const { written, tell } = progressAt(true, columns)
    tell(2000, 100)
    expect(written).toEqual([`\r\u001b[K${line}`])
    expect(line.length).toBeLessThan(columns)
  })

  it('redraws when the screen is resized, over all lines that the old text now takes', () => {
    const { written, progress, tell, screen } = progressAt(true, 80)
    tell(2000, 100)
    screen.columns = 40
    screen.emit('resize')
    expect(written.at(-1)).toBe('\r\u001b[1A\u001b[J[===   ] 50%, 100 of 200 leads, 2s left')
    screen.columns = 80
    screen.emit('resize')
    expect(written.at(-1)).toBe('\r\u001b[K[============            ] 50%, 100 of 200 leads, 2s left, 58 a minute')
    progress.clear()
    expect(screen.listenerCount('resize')).toBe(0)
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
