/** The row cache against a plain model: after any mix of additions, changes, rollbacks and evictions, no read is stale. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RowCache } from '../../../simulator/storage/row-cache.js'
import { inMemory, Store } from '../../../simulator/storage/store.js'
import { sql } from '../../../simulator/storage/sql.js'
import { Table } from '../../../simulator/storage/tables.js'

const things = new Table('things')

interface Thing {
  n: number
  tenant: number
  at: number
  lead: number
}

interface Change {
  does: 'change'
  which: number
  /** Through an object that was read earlier, as long as the row was not read again. */
  held: boolean
  at?: number
  lead?: number
}

type Deed =
  | Change
  | { does: 'add' | 'addLater'; tenant: 1 | 2; at: number }
  | { does: 'read'; which: number }
  | { does: 'look' }
  | { does: 'attempt' | 'rehearse'; fails: boolean; deeds: Deed[] }

const small = fc.nat(5)
const which = fc.nat(30)
const plain: readonly fc.Arbitrary<Deed>[] = [
  fc.record({
    does: fc.constantFrom<'add' | 'addLater'>('add', 'addLater'),
    tenant: fc.constantFrom<1 | 2>(1, 2),
    at: small,
  }),
  fc.record<Change, 'does' | 'which' | 'held'>(
    { does: fc.constant('change'), which, held: fc.boolean(), at: small, lead: small },
    { requiredKeys: ['does', 'which', 'held'] },
  ),
  fc.record({ does: fc.constant<'read'>('read'), which }),
  fc.constant<Deed>({ does: 'look' }),
]
const partOf = (deeds: fc.Arbitrary<Deed[]>): fc.Arbitrary<Deed> =>
  fc.record({ does: fc.constantFrom<'attempt' | 'rehearse'>('attempt', 'rehearse'), fails: fc.boolean(), deeds })
const deedsWithin = (...parts: fc.Arbitrary<Deed>[]) =>
  fc.array(fc.oneof(...plain, ...plain, ...parts), { maxLength: 25 })
const deeds = deedsWithin(partOf(deedsWithin(partOf(deedsWithin()))))

class Undone extends Error {}

class Play {
  readonly store = Store.open(inMemory)
  readonly #rows: Record<number, RowCache<Thing>>
  #model = new Map<number, Thing>()
  #held = new Map<number, Thing>()

  constructor() {
    this.store.run(sql`CREATE TABLE ${things} (n INTEGER PRIMARY KEY, tenant INTEGER, at INTEGER, lead INTEGER)`)
    this.#rows = { 1: new RowCache(this.store, things, 1, 1), 2: new RowCache(this.store, things, 2, 1) }
  }

  transaction(all: readonly Deed[], fails: boolean): void {
    this.#undoable(fails, () => this.store.transaction(() => this.#doAll(all, fails)))
    expect(this.store.stored(sql`SELECT * FROM ${things} ORDER BY n`)).toEqual(this.#expected())
    for (const { n } of this.#expected()) this.#read(n)
  }

  #expected(): Thing[] {
    return [...this.#model.values()].sort((a, b) => a.n - b.n)
  }

  #doAll(all: readonly Deed[], fails: boolean): void {
    for (const deed of all) this.#do(deed)
    if (fails) throw new Undone()
  }

  /** What is undone, or was tried only, leaves everything as it was before. */
  #undoable(isUndone: boolean, work: () => void): void {
    const before = new Map([...this.#model].map(([n, row]) => [n, { ...row }]))
    try {
      work()
    } catch (error) {
      if (!(error instanceof Undone)) throw error
    }
    if (!isUndone) return
    this.#model = before
    this.#held.clear()
  }

  #do(deed: Deed): void {
    switch (deed.does) {
      case 'add':
      case 'addLater':
        return this.#add(deed.does, deed.tenant, deed.at)
      case 'change':
        return this.#one(deed.which, (n) => this.#change(n, deed))
      case 'read':
        return this.#one(deed.which, (n) => this.#read(n))
      case 'look':
        return expect(this.store.all(sql`SELECT * FROM ${things} ORDER BY n`)).toEqual(this.#expected())
      default: {
        const { does, fails, deeds: within } = deed
        this.#undoable(fails || does === 'rehearse', () => this.store[does](() => this.#doAll(within, fails)))
      }
    }
  }

  #one(which: number, work: (n: number) => void): void {
    const n = [...this.#model.keys()][which % Math.max(1, this.#model.size)]
    if (n !== undefined) work(n)
  }

  #add(how: 'add' | 'addLater', tenant: 1 | 2, at: number): void {
    const row = this.#rows[tenant]![how]({ at, lead: 0 })
    expect(row.n).toBeGreaterThan(Math.max(0, ...this.#model.keys()))
    this.#model.set(row.n, { ...row })
    this.#held.set(row.n, row)
  }

  #read(n: number): Thing {
    const { tenant } = this.#model.get(n)!
    const row = this.#rows[tenant]!.get(n)
    expect(row).toEqual(this.#model.get(n))
    expect(this.#rows[3 - tenant]!.get(n)).toBeNull()
    this.#held.set(n, row!)
    return row!
  }

  #change(n: number, { held, does: _does, which: _which, ...changes }: Change): void {
    const rows = this.#rows[this.#model.get(n)!.tenant]!
    const known = this.#held.get(n)
    const row = held && known && (rows.loadedRows(n) ?? known) === known ? known : this.#read(n)
    rows.change(row, changes)
    Object.assign(this.#model.get(n)!, changes)
  }
}

it('rows of two tenants are read and kept as they are, whatever is added, changed, undone and let go', () => {
  const transactions = fc.array(fc.record({ deeds, fails: fc.boolean() }), { maxLength: 5 })
  fc.assert(
    fc.property(transactions, (all) => {
      const play = new Play()
      for (const { deeds: one, fails } of all) play.transaction(one, fails)
      play.store.close()
    }),
  )
})

it('a row that is at work as another object is not changed behind its back', () => {
  const store = Store.open(inMemory)
  store.run(sql`CREATE TABLE ${things} (n INTEGER PRIMARY KEY, tenant INTEGER, at INTEGER, lead INTEGER)`)
  const rows = new RowCache<Thing>(store, things, 1)
  const stale = rows.add({ at: 1, lead: 0 })
  rows.invalidate()
  rows.get(stale.n)
  expect(() => rows.change(stale, { at: 2 })).toThrow('row 1 of things is at work as another object')
  store.close()
})
