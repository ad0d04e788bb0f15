import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Rows } from '../../simulator/world/rows.js'
import { inMemory, Store } from '../../simulator/world/store.js'

interface Script {
  n: number
  tenant: number
  at: number
  lead: number
}

let store: Store
let rows: Rows<Script>
beforeEach(() => {
  store = Store.open(inMemory)
  store.run('CREATE TABLE things (n INTEGER PRIMARY KEY, tenant INTEGER, at INTEGER, lead INTEGER)')
  rows = new Rows(store, 'things', 1)
})
afterEach(() => store.close())

const stored = () => store.all<Script>('SELECT * FROM things ORDER BY n')
/** As the database holds them, with nothing written before it is asked. */
const written = () => store.stored<Script>('SELECT * FROM things ORDER BY n')

describe('rows at work', () => {
  it('are written once, at the end of the transaction, as they are then', () => {
    store.transaction(() => {
      const row = rows.add({ n: store.nextNumber('things'), tenant: 1, at: 5, lead: 7 })
      rows.change(row, { at: 6 })
      rows.change(row, { at: 8, lead: 9 })
      expect(written()).toEqual([])
    })
    expect(written()).toEqual([{ n: 1, tenant: 1, at: 8, lead: 9 }])
  })

  it('are written before anything looks into their table', () => {
    store.transaction(() => {
      const row = rows.add({ n: store.nextNumber('things'), tenant: 1, at: 5, lead: 7 })
      expect(stored()).toHaveLength(1)
      rows.change(row, { at: 6 })
      expect(stored()).toMatchObject([{ at: 6 }])
      expect([...store.each<Script>('SELECT * FROM things')]).toMatchObject([{ at: 6 }])
    })
  })

  it('are one object however they are read, and another tenant does not get them', () => {
    store.transaction(() => {
      const row = rows.add({ n: store.nextNumber('things'), tenant: 1, at: 5, lead: 7 })
      rows.change(row, { at: 6 })
      expect(rows.get(1)).toBe(row)
      expect(rows.keep({ n: 1, tenant: 1, at: 0, lead: 0 })).toBe(row)
    })
    expect(new Rows<Script>(store, 'things', 2).get(1)).toBeNull()
    expect(new Rows<Script>(store, 'things', 1).get(1)).toMatchObject({ at: 6 })
  })

  it('go back with their transaction, and so do their numbers', () => {
    const undone = () =>
      store.transaction(() => {
        rows.add({ n: store.nextNumber('things'), tenant: 1, at: 5, lead: 7 })
        throw new RangeError('undone')
      })
    expect(undone).toThrow('undone')
    rows.forget()
    expect(written()).toEqual([])
    expect(rows.get(1)).toBeNull()
    expect(store.nextNumber('things')).toBe(1)
  })

  it('keep what is unwritten when there are too many to keep', () => {
    store.transaction(() => {
      for (let i = 0; i < 10_000; i++) rows.add({ n: store.nextNumber('things'), tenant: 1, at: i, lead: 0 })
      expect(rows.get(1)).toMatchObject({ at: 0 })
      expect(written()).toEqual([])
    })
    expect(written()).toHaveLength(10_000)
  })

  it('outside a transaction are written at once', () => {
    rows.add({ n: 4, tenant: 1, at: 5, lead: 7 })
    expect(written()).toMatchObject([{ n: 4 }])
  })
})
