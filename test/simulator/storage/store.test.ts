import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { Database } from '../../../simulator/storage/driver.js'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { migrations } from '../../../simulator/storage/schema.js'
import { StoreError } from '../../../simulator/storage/store-error.js'
import { inMemory, Store } from '../../../simulator/storage/store.js'
import { Program } from '../../support/programs/program.js'
import { temporaryFile, temporaryFolder } from '../../support/temporary-folder.js'
import { sql } from '../../../simulator/storage/sql.js'
import { tables } from '../../../simulator/storage/tables.js'

const opened: Store[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})

function open(path: string = inMemory): Store {
  const store = Store.open(path)
  opened.push(store)
  return store
}

const put = (store: Store, name: string, value = '') =>
  store.run(sql`INSERT INTO ${tables.settings} (name, value) VALUES (?, ?)`, name, value)
const names = (store: Store) =>
  store.all<{ name: string }>(sql`SELECT name FROM ${tables.settings} ORDER BY name`).map(({ name }) => name)
const refusal = (path: string): unknown => {
  try {
    Store.open(path).close()
  } catch (error) {
    return error
  }
  return null
}

describe('a store', () => {
  it('makes a file only its owner can read, and so are the files beside it', () => {
    const path = temporaryFile()
    const store = open(path)
    put(store, 'a')
    const modes = readdirSync(join(path, '..')).map((file) => statSync(join(path, '..', file)).mode & 0o777)
    expect(modes.length).toBeGreaterThan(1)
    expect(new Set(modes)).toEqual(new Set([0o600]))
  })

  it('closes a file to others that was left open to them, and no file of another program', () => {
    const [path, foreign] = [temporaryFile(), temporaryFile()]
    Store.open(path).close()
    writeFileSync(foreign, 'not a database, but long enough to be looked at '.repeat(50))
    for (const one of [path, foreign]) chmodSync(one, 0o644)
    const store = open(path)
    put(store, 'a')
    for (const file of readdirSync(join(path, '..')))
      expect([file, statSync(join(path, '..', file)).mode & 0o777]).toEqual([file, 0o600])
    expect(refusal(foreign)).toBeInstanceOf(StoreError)
    expect(statSync(foreign).mode & 0o777).toBe(0o644)
  })

  it('waits for the disk at every commit, after writes and after a reopen', () => {
    const path = temporaryFile()
    const first = Store.open(path)
    expect(first.synchronous).toBe(2)
    first.transaction(() => put(first, 'a'))
    expect(first.synchronous).toBe(2)
    first.close()
    const again = open(path)
    again.transaction(() => put(again, 'b'))
    expect(again.synchronous).toBe(2)
    expect(names(again)).toEqual(['a', 'b'])
  })

  it('leaves one file when it is closed', () => {
    const path = temporaryFile()
    const store = Store.open(path)
    put(store, 'a')
    store.close()
    expect(readdirSync(join(path, '..'))).toEqual(['simulator.db'])
  })

  it('brings a file without a layout up to date, and marks it as its own', () => {
    const path = temporaryFile()
    new Database(path).close()
    put(open(path), 'a')
    opened.splice(0).forEach((store) => store.close())
    const file = new Database(path, { readonly: true })
    expect(file.pragma('user_version', { simple: true })).toBe(migrations.length)
    expect(file.pragma('application_id', { simple: true })).not.toBe(0)
    file.close()
    expect(names(open(path))).toEqual(['a'])
  })
})

describe('a file that cannot be used', () => {
  const refused = (path: string, why: string) => {
    const error = refusal(path)
    expect(error).toBeInstanceOf(StoreError)
    expect((error as Error).message).toBe(`The data file ${path} cannot be used: ${why}. Nothing in it was changed.`)
  }

  it('is one that a newer version wrote, and it stays as it is, byte for byte', () => {
    const path = temporaryFile()
    put(open(path), 'a')
    opened.splice(0).forEach((store) => store.close())
    const newer = new Database(path)
    newer.pragma(`user_version = ${migrations.length + 1}`)
    newer.close()
    const before = readFileSync(path)
    const why = `it was written by a newer version (its layout is ${migrations.length + 1}, this program knows up to ${migrations.length})`
    refused(path, why)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(join(path, '..'))).toEqual(['simulator.db'])
    refused(path, why)
  })

  it('is one of another program, and it stays as it is', () => {
    const path = temporaryFile()
    const foreign = new Database(path)
    foreign.exec('CREATE TABLE songs (name TEXT)')
    foreign.close()
    const before = readFileSync(path)
    refused(path, 'it is a database of another program')
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it.each([
    ['a line', 'hello\n'],
    ['a long text', 'Dear diary, '.repeat(2_000)],
    ['the beginning of a database and then none', 'SQLite format 3\0' + 'x'.repeat(5_000)],
  ])('is %s, and it stays as it is', (_what, text) => {
    const path = temporaryFile('notes.txt')
    writeFileSync(path, text)
    refused(path, 'it is not a data file of this program')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('is a damaged one', () => {
    const path = temporaryFile()
    const store = Store.open(path)
    store.transaction(() => Array.from({ length: 500 }, (_, n) => put(store, `row ${n}`, 'x'.repeat(500))))
    store.close()
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(4_000, 0xee), 0, 4_000, 100)
    closeSync(file)
    refused(path, 'it is damaged')
  })

  it('is one in a folder that is not there, or a folder', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'data'))
    refused(join(folder, 'nowhere', 'simulator.db'), 'its folder does not exist')
    refused(join(folder, 'data'), 'this program may not write it')
  })

  it('is one that is open in this process, until it is closed', () => {
    const path = temporaryFile()
    const first = Store.open(path)
    refused(path, 'another simulator is using it')
    put(first, 'a')
    first.close()
    expect(names(open(path))).toEqual(['a'])
  })

  it('is one that another process has open, until that ends', async () => {
    const path = temporaryFile()
    const other = Program.start('crashes/store-program.ts', path, 'hold')
    expect(await other.line()).toBe('open')
    refused(path, 'another simulator is using it')
    await other.kill()
    expect(names(open(path))).toEqual([])
  })
})

describe('a disk that is full', () => {
  it('is told of, and what was acknowledged before is there', async () => {
    const path = temporaryFile()
    const program = Program.startWithin(1_200, 'crashes/store-program.ts', path)
    expect(await program.line()).toBe('open')
    const acknowledged: string[] = []
    let line = await program.line()
    for (; /^\d+$/.test(line); line = await program.line()) acknowledged.push(`row ${line}`)
    expect(line).toContain(`The data file ${path} cannot be used: the disk reports an error.`)
    expect(acknowledged.length).toBeGreaterThan(3)
    await program.kill()
    expect(names(open(path))).toEqual(acknowledged.sort())
  })
})

describe('a transaction', () => {
  it('that throws leaves nothing, and the next one is not hurt', () => {
    const store = open()
    const failing = () =>
      store.transaction(() => {
        put(store, 'a')
        throw new RangeError('no')
      })
    expect(failing).toThrow(RangeError)
    expect([names(store), store.inTransaction]).toEqual([[], false])
    store.transaction(() => put(store, 'b'))
    expect(names(store)).toEqual(['b'])
  })

  it('inside another is part of it', () => {
    const store = open()
    const failing = () =>
      store.transaction(() => {
        store.transaction(() => put(store, 'a'))
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect(names(store)).toEqual([])
  })

  it('gives the error of a bad statement as it is: that is no fault of the file', () => {
    const store = open()
    const twice = () => store.transaction(() => [put(store, 'a'), put(store, 'a')])
    expect(twice).toThrow('UNIQUE constraint failed: settings.name')
    expect(names(store)).toEqual([])
  })

  it('that cannot write what earlier parts owe goes as a whole, so that none of them is kept in half', () => {
    const store = open()
    const write = () => {
      put(store, 'half')
      throw new Error('the disk is full')
    }
    const together = () =>
      store.transaction(() => {
        put(store, 'before')
        store.markDirty({ table: tables.numbers, flush: write, invalidate: () => undefined })
        expect(() => store.attempt(() => put(store, 'after'))).toThrow('the disk is full')
        expect(store.inTransaction).toBe(false)
      })
    expect(together).toThrow('no transaction is active')
    expect(names(store)).toEqual([])
  })

  it('can try a part that fails alone', () => {
    const store = open()
    store.transaction(() => {
      put(store, 'before')
      expect(() =>
        store.attempt(() => {
          put(store, 'tried')
          throw new Error('no')
        }),
      ).toThrow('no')
      expect(store.attempt(() => put(store, 'after'))).toBe(1)
    })
    expect(names(store)).toEqual(['after', 'before'])
  })

  it('can rehearse a part: the answer stays, the changes go, whether it throws or not', () => {
    const store = open()
    store.transaction(() => {
      const rehearsed = store.rehearse(() => {
        put(store, 'a')
        return names(store)
      })
      expect(rehearsed).toEqual(['a'])
      expect(() => store.rehearse(() => [put(store, 'b'), put(store, 'b')])).toThrow('UNIQUE')
    })
    expect(names(store)).toEqual([])
  })

  it('keeps parts within parts apart, however they end', () => {
    type Part = { how: 'attempt' | 'rehearse' | 'plain'; fails: boolean; parts: Part[] }
    const parts: fc.Memo<Part> = fc.memo((depth) =>
      fc.record({
        how: fc.constantFrom('attempt', 'rehearse', 'plain'),
        fails: fc.boolean(),
        parts: depth > 1 ? fc.array(parts(depth - 1), { maxLength: 3 }) : fc.constant([]),
      }),
    )
    let number = 0
    /** Plays a part and answers which rows it must leave. */
    const play = (store: Store, { how, fails, parts: within }: Part): string[] => {
      const name = `row ${number++}`
      const work = () => {
        put(store, name)
        const left = within.flatMap((part) =>
          part.how === 'plain' ? play(store, { ...part, fails: false }) : play(store, part),
        )
        if (fails) throw new Error('part')
        return [name, ...left]
      }
      try {
        const left = how === 'plain' ? work() : store[how](work)
        return how === 'rehearse' ? [] : left
      } catch (error) {
        if ((error as Error).message !== 'part') throw error
        return []
      }
    }
    fc.assert(
      fc.property(parts(4), (part) => {
        const store = Store.open(inMemory)
        const left = store.transaction(() => play(store, { ...part, how: 'attempt' }))
        expect(names(store)).toEqual(left.sort())
        store.close()
      }),
    )
  })
})

describe('the whole of a store', () => {
  const rows = fc.uniqueArray(fc.string({ unit: 'grapheme' }), { maxLength: 20 })

  it('comes back from an image as it was, in whatever store it is put', () => {
    fc.assert(
      fc.property(rows, rows, (then, later) => {
        const [store, other] = [Store.open(inMemory), Store.open(inMemory)]
        store.transaction(() => then.map((name) => put(store, name, name)))
        const image = store.image()
        store.clear()
        store.transaction(() => later.map((name) => put(store, name)))
        other.transaction(() => later.map((name) => put(other, name)))
        const saved = [...then].sort()
        for (const one of [store, other]) {
          one.restore(image)
          expect(names(one).sort()).toEqual(saved)
        }
        store.close()
        other.close()
      }),
      { numRuns: 40 },
    )
  })

  it('brings back the numbers that are never used again', () => {
    const store = open()
    const add = () =>
      store.insert(tables.dnc, {
        tenant: 2,
        phone: `+1212555${1000 + Math.floor(performance.now() * 1000)}`,
        source: 'api',
        created: 0,
      })
    const last = [add(), add(), add()][2] ?? 0
    store.run(sql`DELETE FROM ${tables.dnc} WHERE n = ?`, last)
    const image = store.image()
    store.clear()
    expect(add()).toBe(1)
    store.restore(image)
    expect(add()).toBe(last + 1)
  })

  it('is forgotten when it is cleared, the numbers too', () => {
    const store = open()
    put(store, 'a')
    store.insert(tables.dnc, { tenant: 2, phone: '+12125551000', source: 'api', created: 0 })
    store.clear()
    expect([names(store), store.one(sql`SELECT 1 FROM ${tables.dnc}`)]).toEqual([[], undefined])
    expect(store.insert(tables.dnc, { tenant: 2, phone: '+12125551000', source: 'api', created: 0 })).toBe(1)
  })
})
