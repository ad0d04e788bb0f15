/** Dumps a running simulator's data file, for tests that nothing changes. */
import { Database } from '../../simulator/storage/driver.js'
import { crashCopy } from './crashes/crash-copy.js'

/** Leaves out the request counts and the stored clock, because every request changes them. */
const counted = new Set(['usage', 'clock'])

/** Every row of every table. The running simulator has the file locked, so this reads a copy. */
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
