import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { QueueHead } from '../../../simulator/storage/queue-head.js'

interface Item {
  at: number
}

/** A row in its order, and the front of it that is kept in memory. */
class Row {
  readonly all: Item[] = []
  #stored: Item[] = []
  reads = 0
  readonly front = new QueueHead<Item>(
    (a, b) => a.at - b.at,
    {
      stored: (after, limit) => {
        this.reads++
        return this.#stored
          .filter(({ at }) => after === undefined || at > after.at)
          .sort((a, b) => a.at - b.at)
          .slice(0, limit)
      },
      unwritten: (isMeant) => this.all.filter((item) => !this.#stored.includes(item) && isMeant(item)),
    },
    (item) => this.all.includes(item),
    { batch: 4, most: 6 },
  )

  enter(at: number): void {
    if (this.all.some((item) => item.at === at)) return
    const item = { at }
    this.all.push(item)
    this.front.add(item)
  }

  write(): void {
    this.#stored = [...this.all]
  }

  leave(index: number): void {
    this.all.splice(index % Math.max(1, this.all.length), 1)
  }

  get first(): Item | null {
    return this.all.reduce<Item | null>((first, item) => (first && first.at < item.at ? first : item), null)
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('enter' as const), n: fc.nat(10_000) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('leave' as const), n: fc.nat(100) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('take' as const), n: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('forget' as const), n: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('write' as const), n: fc.nat() }) },
)

describe('the front of a row', () => {
  it('always has the first of the whole row, whoever enters, leaves or is taken', () => {
    const run = (steps: { what: 'enter' | 'leave' | 'take' | 'forget' | 'write'; n: number }[]) => {
      const row = new Row()
      for (const { what, n } of steps) {
        if (what === 'enter') row.enter(n)
        else if (what === 'leave') row.leave(n)
        else if (what === 'forget') row.front.invalidate()
        else if (what === 'write') row.write()
        else if (row.first) {
          expect(row.front.first()).toBe(row.first)
          row.all.splice(row.all.indexOf(row.first), 1)
        }
      }
      for (let first = row.first; first; first = row.first) {
        expect(row.front.first()).toBe(first)
        row.all.splice(row.all.indexOf(first), 1)
      }
      expect(row.front.first()).toBeNull()
    }
    fc.assert(fc.property(fc.array(step, { maxLength: 200 }), run), { numRuns: 300 })
  })

  it('reads a batch at a time, and nothing again while it has some', () => {
    const row = new Row()
    for (let at = 0; at < 8; at++) row.enter(at)
    row.write()
    for (let at = 0; at < 8; at++) {
      expect(row.front.first()).toEqual({ at })
      row.leave(row.all.findIndex((item) => item.at === at))
    }
    expect(row.front.first()).toBeNull()
    expect(row.reads).toBe(3)
  })
})
