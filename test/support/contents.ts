/** Everything a running simulator's file holds, for tests that say nothing may change. */
import { Database } from '../../simulator/storage/driver.js'
import { crashCopy } from './crash-copy.js'

/** Leaves out the request counts and the stored clock, because every request changes them. */
const counted = new Set(['usage', 'clock'])

/** Every row of every table. The file is the simulator's alone while it runs, so a copy of it is read. */
export function contentsOf(path: string): Record<string, unknown[]> {
  const database = new Database(crashCopy(path))
  try {
    const tables = database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
    const kept = tables.filter(({ name }) => !counted.has(name))
    return Object.fromEntries(kept.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]))
  } finally {
    database.close()
  }
}
