/** Data files and snapshots of an earlier version are upgraded when they are opened or restored. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { migrations } from '../../../simulator/storage/schema.js'
import { inMemory, Store } from '../../../simulator/storage/store.js'
import { temporaryFile } from '../../support/temporary-folder.js'
import { sql } from '../../../simulator/storage/sql.js'
import { tables } from '../../../simulator/storage/tables.js'

const opened: Store[] = []
afterEach(() => {
  for (const store of opened.splice(0)) store.close()
})

function open(path: string, steps?: readonly string[]): Store {
  const store = Store.open(path, steps)
  opened.push(store)
  return store
}

/** A migration that a later version could have. */
const later = [...migrations, `ALTER TABLE settings ADD COLUMN color TEXT; UPDATE settings SET color = 'blue'`]

const putName = (store: Store, name: string) =>
  store.run(sql`INSERT INTO ${tables.settings} (name, value) VALUES (?, ?)`, name, 'value')

/** A file of this version with one setting. */
function savedFile(): string {
  const path = temporaryFile()
  const store = Store.open(path)
  putName(store, 'a')
  store.close()
  return path
}

const upgraded = [{ name: 'a', value: 'value', color: 'blue' }]

it('migrations: a file of an earlier version keeps its rows and runs only the new steps', () => {
  const path = savedFile()
  const store = open(path, later)
  expect(store.all(sql`SELECT * FROM ${tables.settings}`)).toEqual(upgraded)
  store.close()
  opened.pop()
  expect(open(path, later).all(sql`SELECT * FROM ${tables.settings}`)).toEqual(upgraded)
})

it('migrations: an upgraded file is refused by the earlier version', () => {
  const path = savedFile()
  Store.open(path, later).close()
  expect(() => Store.open(path)).toThrow(
    `it was written by a newer version (its layout is ${later.length}, this program knows up to ${migrations.length})`,
  )
})

it('migrations: a step that fails leaves the file as it was', () => {
  const path = savedFile()
  const before = readFileSync(path)
  expect(() => Store.open(path, [...later, 'ALTER TABLE missing ADD COLUMN color TEXT'])).toThrow('no such table')
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(join(path, '..'))).toEqual(['simulator.db'])
  expect(open(path).all(sql`SELECT * FROM ${tables.settings}`)).toEqual([{ name: 'a', value: 'value' }])
})

it('migrations: a snapshot of an earlier version is upgraded when it is restored', () => {
  const image = open(savedFile()).image()
  const store = open(inMemory, later)
  store.restore(image)
  expect(store.all(sql`SELECT * FROM ${tables.settings}`)).toEqual(upgraded)
})

it('migrations: a new file has every column', () => {
  const store = open(temporaryFile(), later)
  putName(store, 'b')
  expect(store.all(sql`SELECT * FROM ${tables.settings}`)).toEqual([{ name: 'b', value: 'value', color: null }])
})
