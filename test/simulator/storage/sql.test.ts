import { expect, it } from 'vitest'
import { sql } from '../../../simulator/storage/sql.js'
import { inMemory, Store } from '../../../simulator/storage/store.js'
import { tables } from '../../../simulator/storage/tables.js'

it('sql: a statement knows the tables that were interpolated, and keeps values out of its text', () => {
  const { text, tables: touched } =
    sql`SELECT l.n FROM ${tables.leads} l JOIN ${tables.calls} c ON c.lead = l.n WHERE ${'l.n'} = ?`
  expect(text).toBe('SELECT l.n FROM leads l JOIN calls c ON c.lead = l.n WHERE l.n = ?')
  expect(touched).toEqual([tables.leads, tables.calls])
})

it('sql: one place in the code can build statements about different tables', () => {
  const countOf = (table: (typeof tables)[keyof typeof tables], more: string) =>
    sql`SELECT count(*) FROM ${table} ${more}`
  const [first, second, again] = [countOf(tables.leads, ''), countOf(tables.calls, ''), countOf(tables.leads, '')]
  expect([first, second, again].map((statement) => statement.tables)).toEqual([
    [tables.leads],
    [tables.calls],
    [tables.leads],
  ])
  expect(countOf(tables.leads, 'LIMIT 1').text).toBe('SELECT count(*) FROM leads LIMIT 1')
})

it('tables: the schema and the table objects have the same names', () => {
  const store = Store.open(inMemory)
  const query = sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
  const names = store.all<{ name: string }>(query).map(({ name }) => name)
  expect(Object.entries(tables).map(([key, { name }]) => (key === name ? name : `${key} is not ${name}`))).toEqual(
    names,
  )
  store.close()
})
