import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instant } from '../../simulator/kernel/instant.js'
import { Agenda } from '../../simulator/model/agenda.js'
import { inMemory, Store } from '../../simulator/storage/store.js'
import type { Task } from '../../simulator/model/task.js'

const task = (lead: number): Task => ({ kind: 'lead.due', lead, tenant: 2 })

let store: Store
let agenda: Agenda
beforeEach(() => {
  store = Store.open(inMemory)
  agenda = new Agenda(store)
})
afterEach(() => store.close())

const keys = () => agenda.upcoming(100).map(({ key }) => key)

/** Takes everything off the agenda, in order. */
function takeAll(): string[] {
  const taken: string[] = []
  for (let next = agenda.next(); next; next = agenda.next()) {
    taken.push(next.key)
    agenda.remove(next)
  }
  return taken
}

describe('the agenda', () => {
  it('gives appointments back as they were made', () => {
    agenda.put('a', instant(5), task(7))
    expect(agenda.next()).toMatchObject({ key: 'a', at: 5, task: { kind: 'lead.due', lead: 7, tenant: 2 } })
    expect(agenda.at('a')).toBe(5)
    expect(agenda.at('b')).toBeNull()
  })

  it('goes by time, then by the order they were made in', () => {
    for (const [key, at] of [
      ['late', 9],
      ['first', 5],
      ['second', 5],
      ['early', 1],
    ] as const)
      agenda.put(key, instant(at), task(1))
    expect(keys()).toEqual(['early', 'first', 'second', 'late'])
  })

  it('gives what is due at a moment or before it, and nothing later', () => {
    agenda.put('a', instant(5), task(1))
    expect(agenda.next(instant(4))).toBeNull()
    expect(agenda.next(instant(5))?.key).toBe('a')
  })

  it('replaces an appointment of the same key, and puts it behind the others of its moment', () => {
    agenda.put('a', instant(5), task(1))
    agenda.put('b', instant(5), task(2))
    agenda.put('a', instant(5), task(3))
    expect(agenda.upcoming(9).map(({ key, task: { kind }, ...rest }) => [key, kind, rest.at])).toEqual([
      ['b', 'lead.due', 5],
      ['a', 'lead.due', 5],
    ])
    expect(agenda.upcoming(9)[1]?.task).toEqual(task(3))
  })

  it('keeps an appointment that need only be made sure of, unless it would come later', () => {
    agenda.put('a', instant(5), task(1))
    agenda.ensure('a', instant(9), task(2))
    agenda.ensure('a', instant(5), task(2))
    expect(agenda.next()).toMatchObject({ at: 5, task: task(1) })
    agenda.ensure('a', instant(4), task(2))
    expect(agenda.next()).toMatchObject({ at: 4, task: task(2) })
    agenda.ensure('b', instant(1), task(3))
    expect(keys()).toEqual(['b', 'a'])
  })

  it('forgets what is cancelled, and minds nothing that is not there', () => {
    agenda.put('a', instant(5), task(1))
    agenda.cancel('a')
    agenda.cancel('a')
    expect(agenda.next()).toBeNull()
  })

  it('is in order whatever is put, taken and cancelled', () => {
    const key = fc.constantFrom(...'abcdefgh')
    const moves = fc.oneof(
      { weight: 4, arbitrary: fc.record({ put: key, at: fc.nat(5) }) },
      { weight: 1, arbitrary: fc.record({ cancel: key }) },
      { weight: 1, arbitrary: fc.constant('take' as const) },
    )
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 40 }), (all) => {
        takeAll()
        let expected: { key: string; at: number }[] = []
        const without = (gone: string) => expected.filter((one) => one.key !== gone)
        for (const move of all) {
          if (move === 'take') {
            const next = agenda.next()
            expect(next?.key).toBe(expected[0]?.key)
            if (next) agenda.remove(next)
            expected = expected.slice(1)
          } else if ('put' in move) {
            agenda.put(move.put, instant(move.at), task(1))
            // A sort that is stable: the last one made stays last of its moment.
            expected = [...without(move.put), { key: move.put, at: move.at }].sort((a, b) => a.at - b.at)
          } else {
            agenda.cancel(move.cancel)
            expected = without(move.cancel)
          }
        }
        expect(takeAll()).toEqual(expected.map((one) => one.key))
      }),
    )
  })

  it('is in order over transactions, kept or undone, with the most of it in the store', () => {
    const key = fc.nat(40).map(String)
    const move = fc.oneof(
      { weight: 5, arbitrary: fc.record({ put: key, at: fc.nat(30) }) },
      { weight: 1, arbitrary: fc.record({ cancel: key }) },
      { weight: 2, arbitrary: fc.constant('take' as const) },
    )
    const step = fc.record({ moves: fc.array(move, { maxLength: 12 }), kept: fc.boolean() })
    type One = { key: string; at: number }
    const run = (steps: { moves: ('take' | { put: string; at: number } | { cancel: string })[]; kept: boolean }[]) => {
      const store = Store.open(inMemory)
      const agenda = new Agenda(store, { batch: 3, most: 4 })
      let expected: One[] = []
      for (const { moves, kept } of steps) {
        const before = expected
        const work = () => {
          for (const move of moves) {
            if (move === 'take') {
              const next = agenda.next()
              expect(next?.key).toBe(expected[0]?.key)
              if (next) agenda.remove(next)
              expected = expected.slice(1)
              continue
            }
            const changed = 'put' in move ? move.put : move.cancel
            expected = expected.filter((one) => one.key !== changed)
            if ('put' in move) {
              agenda.put(changed, instant(move.at), task(1))
              expected = [...expected, { key: changed, at: move.at }].sort((a, b) => a.at - b.at)
            } else agenda.cancel(changed)
          }
          if (!kept) throw new RangeError('undone')
        }
        try {
          store.transaction(work)
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          agenda.invalidate()
          expected = before
        }
        expect(new Agenda(store).upcoming(100).map(({ key, at }) => ({ key, at }))).toEqual(expected)
      }
      store.close()
    }
    fc.assert(fc.property(fc.array(step, { maxLength: 20 }), run), { numRuns: 100 })
  })
})
