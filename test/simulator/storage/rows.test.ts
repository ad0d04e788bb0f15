import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RowCache } from '../../../simulator/storage/row-cache.js'
import { inMemory, Store } from '../../../simulator/storage/store.js'
import { sql } from '../../../simulator/storage/sql.js'
import { Table } from '../../../simulator/storage/tables.js'

const things = new Table('things')

interface Script {
  n: number
  tenant: number
  at: number
  lead: number
}

let store: Store
let rows: RowCache<Script>
beforeEach(() => {
  store = Store.open(inMemory)
  store.run(sql`CREATE TABLE ${things} (n INTEGER PRIMARY KEY, tenant INTEGER, at INTEGER, lead INTEGER)`)
  rows = new RowCache(store, things, 1)
})
afterEach(() => store.close())

const stored = () => store.all<Script>(sql`SELECT * FROM ${things} ORDER BY n`)
/** As the database holds them, with nothing written before it is asked. */
const written = () => store.stored<Script>(sql`SELECT * FROM ${things} ORDER BY n`)

const add = (at = 5) => rows.add({ at, lead: 7 })

describe('rows at work', () => {
  it('are written once, at the end of the transaction, as they are then', () => {
    store.transaction(() => {
      const row = add()
      rows.change(row, { at: 6 })
      rows.change(row, { at: 8, lead: 9 })
      expect(written()).toEqual([{ n: 1, tenant: 1, at: 5, lead: 7 }])
    })
    expect(written()).toEqual([{ n: 1, tenant: 1, at: 8, lead: 9 }])
  })

  it('are written before anything looks into their table', () => {
    store.transaction(() => {
      const row = add()
      rows.change(row, { at: 6 })
      expect(stored()).toMatchObject([{ at: 6 }])
      rows.change(row, { at: 7 })
      expect([...store.each<Script>(sql`SELECT * FROM ${things}`)]).toMatchObject([{ at: 7 }])
    })
  })

  it('are added with the others where that is enough, as they are then', () => {
    store.transaction(() => {
      const row = rows.addLater({ at: 5, lead: 7 })
      rows.change(row, { at: 6 })
      expect(written()).toEqual([])
      expect(rows.get(1)).toBe(row)
      expect(rows.loadedRows(1)).toBe(row)
      expect(stored()).toEqual([{ n: 1, tenant: 1, at: 6, lead: 7 }])
      rows.change(row, { at: 9 })
      add()
    })
    expect(written()).toMatchObject([
      { n: 1, at: 9 },
      { n: 2, at: 5 },
    ])
  })

  it('are one object however they are read, and another tenant does not get them', () => {
    store.transaction(() => {
      const row = add()
      rows.change(row, { at: 6 })
      expect(rows.get(1)).toBe(row)
      expect(rows.keep({ n: 1, tenant: 1, at: 0, lead: 0 })).toBe(row)
    })
    expect(new RowCache<Script>(store, things, 2).get(1)).toBeNull()
    expect(new RowCache<Script>(store, things, 1).get(1)).toMatchObject({ at: 6 })
  })

  it('go back with their transaction', () => {
    const row = add()
    const undone = () =>
      store.transaction(() => {
        rows.change(row, { at: 6 })
        throw new RangeError('undone')
      })
    expect(undone).toThrow('undone')
    expect(written()).toMatchObject([{ at: 5 }])
    expect(rows.get(1)).toMatchObject({ at: 5 })
  })

  it('keep what is unwritten when there are too many to keep', () => {
    store.transaction(() => {
      const first = add()
      rows.change(first, { at: 6 })
      const second = rows.addLater({ at: 5, lead: 7 })
      for (let i = 0; i < 10_000; i++) add(i)
      expect(rows.get(1)).toBe(first)
      expect(rows.get(2)).toBe(second)
    })
    expect(written()[0]).toMatchObject({ at: 6 })
  })

  it('outside a transaction are written at once', () => {
    rows.change(add(), { at: 6 })
    expect(written()).toMatchObject([{ at: 6 }])
  })
})

describe('a registered cache', () => {
  it('is written before a statement over many rows, and read again after it', () => {
    store.transaction(() => {
      const row = add()
      rows.change(row, { lead: 8 })
      expect(store.updateMany(things, 'SET at = at + 1 WHERE lead = ?', 8)).toBe(1)
      expect(rows.get(1)).toEqual({ n: 1, tenant: 1, at: 6, lead: 8 })
    })
  })

  it('is dropped when the store is cleared or restored', () => {
    add(5)
    const image = store.image()
    store.clear()
    expect(rows.get(1)).toBeNull()
    add(9)
    store.restore(image)
    expect(rows.get(1)).toMatchObject({ at: 5 })
  })

  it('is dropped when a part of a transaction fails or is rehearsed', () => {
    store.transaction(() => {
      const failing = () => {
        rows.change(rows.get(add().n)!, { at: 7 })
        throw new RangeError('undone')
      }
      expect(() => store.attempt(failing)).toThrow('undone')
      expect(rows.get(1)).toBeNull()
      store.rehearse(() => add())
      expect(rows.get(1)).toBeNull()
    })
  })
})

describe('the next number of a table', () => {
  it('goes back with its transaction, and is never given twice where the table counts', () => {
    const counted = new Table('counted')
    store.run(sql`CREATE TABLE ${counted} (n INTEGER PRIMARY KEY AUTOINCREMENT)`)
    expect(store.nextNumber(counted)).toBe(1)
    store.run(sql`INSERT INTO ${counted} (n) VALUES (1)`)
    const undone = () =>
      store.transaction(() => {
        expect(store.nextNumber(counted)).toBe(2)
        throw new RangeError('undone')
      })
    expect(undone).toThrow('undone')
    store.run(sql`DELETE FROM ${counted}`)
    expect(store.nextNumber(counted)).toBe(2)
  })
})
