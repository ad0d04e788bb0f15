/**
 * Opens a store and writes rows of some kilobytes in a loop, printing each number. With `hold` it only keeps the file
 * open.
 */
import { Store } from '../../../simulator/storage/store.js'
import { sql } from '../../../simulator/storage/sql.js'
import { tables } from '../../../simulator/storage/tables.js'

const [path = '', how = ''] = process.argv.slice(2)

function write(): void {
  const store = Store.open(path)
  process.stdout.write('open\n')
  if (how === 'hold') return void setInterval(() => undefined, 1_000)
  const value = 'x'.repeat(20_000)
  for (let n = 0; ; n++) {
    store.transaction(() =>
      store.run(sql`INSERT INTO ${tables.settings} (name, value) VALUES (?, ?)`, `row ${n}`, value),
    )
    process.stdout.write(`${n}\n`)
  }
}

try {
  write()
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
}
