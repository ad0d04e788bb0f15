/** Lower bound for advancing time: inserts only the events, durably, a thousand at a time. */
import { rmSync } from 'node:fs'
import { Database } from '../simulator/storage/driver.js'

/** Milliseconds to insert `count` events of a given length into a table with the indexes of the event list. */
export function bareInsertsMs(file: string, count: number, length: number): number {
  const database = new Database(file)
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.exec(
      `CREATE TABLE events (n INTEGER PRIMARY KEY, tenant INTEGER, type TEXT, created INTEGER, body TEXT);
       CREATE INDEX events_of_tenant ON events (tenant);
       CREATE INDEX events_by_type ON events (tenant, type)`,
    )
    const insert = database.prepare('INSERT INTO events (tenant, type, created, body) VALUES (1, ?, ?, ?)')
    const types = ['call.started', 'call.answered', 'call.completed']
    const body = 'x'.repeat(length)
    const thousand = database.transaction((from: number) => {
      for (let i = from; i < Math.min(from + 1_000, count); i++) insert.run(types[i % types.length], i, body)
    })
    const before = performance.now()
    for (let from = 0; from < count; from += 1_000) thousand(from)
    return performance.now() - before
  } finally {
    database.close()
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
  }
}
