import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ids } from '../../simulator/kernel/ids.js'
import { anyText } from '../support/any-text.js'

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const largest = 2 ** 48 - 1
const numbers = fc.oneof(
  fc.nat(10_000),
  fc.maxSafeNat().map((n) => n % (largest + 1)),
  fc.constantFrom(0, 1, 2 ** 24 - 1, 2 ** 24, 2 ** 32, largest),
)
const seeds = fc.integer()
const kinds = fc.constantFrom('lead/2', 'lead/3', 'call/2', 'event/2', 'delivery/1000', 'campaign')

describe('ids', () => {
  it('are UUIDs of version 4 in form, and give back the number they were made from', () => {
    fc.assert(
      fc.property(seeds, kinds, numbers, (seed, kind, n) => {
        const id = new Ids(seed).uuid(kind, n)
        expect(id).toMatch(uuid4)
        expect(new Ids(seed).number(kind, id)).toBe(n)
      }),
      { numRuns: 200 },
    )
  })

  it('are read in upper case too', () => {
    const ids = new Ids(1)
    expect(ids.number('lead/2', ids.uuid('lead/2', 77).toUpperCase())).toBe(77)
  })

  it('say nothing under another kind or another seed', () => {
    fc.assert(
      fc.property(seeds, seeds, kinds, kinds, numbers, (seed, otherSeed, kind, otherKind, n) => {
        const id = new Ids(seed).uuid(kind, n)
        if (otherKind !== kind) expect(new Ids(seed).number(otherKind, id)).toBeNull()
        if (otherSeed !== seed) expect(new Ids(otherSeed).number(kind, id)).toBeNull()
      }),
      { numRuns: 200 },
    )
  })

  it('are all different and show nothing of their order', () => {
    const ids = new Ids(1)
    const made = Array.from({ length: 20_000 }, (_, n) => ids.uuid('lead/2', n))
    expect(new Set(made).size).toBe(made.length)
    const rising = made.filter((id, i) => i > 0 && id > (made[i - 1] ?? '')).length
    expect(rising).toBeGreaterThan(9_000)
    expect(rising).toBeLessThan(11_000)
  })

  it('cannot be guessed at from one that is known: a changed character makes it none', () => {
    fc.assert(
      fc.property(numbers, fc.nat(35), fc.constantFrom(...'0123456789abcdef'), (n, place, digit) => {
        const id = new Ids(1).uuid('lead/2', n)
        const changed = id.slice(0, place) + digit + id.slice(place + 1)
        fc.pre(changed !== id)
        expect(new Ids(1).number('lead/2', changed)).toBeNull()
      }),
      { numRuns: 200 },
    )
  })

  it('are not found in anything else, and nothing makes reading one fail', () => {
    const ids = new Ids(1)
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.uuid()), (text) => ids.number('lead/2', text) === null),
      {
        numRuns: 200,
      },
    )
    const good = ids.uuid('lead/2', 5)
    for (const text of ['', ' ', good + ' ', '\n' + good, `{${good}}`, good.replaceAll('-', ''), good.slice(1)]) {
      expect(ids.number('lead/2', text)).toBeNull()
    }
  })
})
