/** The file that an import reads: opened as a table, with the digest that identifies its content. */
import type { IO } from '../../../config/environment.js'
import { importFolder } from '../journal.js'
import { Spool } from '../spool.js'
import { openTable, type Reading, type Table } from './table.js'

export interface ImportSource {
  /** As the user gave it; `-` is standard input. */
  file: string
  /** Name of the file in messages. */
  name: string
  table: Table
  /** Digest of the content. */
  digest: string
  /** Folder of the journals. */
  folder: string
}

/** Opens a file as a table, runs the work, and deletes the temporary copy. `now` decides which old journals are deleted. */
export async function withSource(
  file: string,
  { stdin, dataFolder }: Pick<IO, 'stdin' | 'dataFolder'>,
  { now, ...reading }: Omit<Reading, 'name'> & { now: number },
  work: (source: ImportSource) => Promise<void>,
): Promise<void> {
  const name = file === '-' ? 'standard input' : file
  const folder = importFolder(dataFolder, now)
  const spool = await Spool.of(file, stdin, folder)
  try {
    const table = await openTable(spool, { name, ...reading })
    // Two sheets of a workbook are two imports.
    const digest = table.sheet === undefined ? spool.digest : `${spool.digest} ${table.sheet}`
    await work({ file, name, table, digest, folder })
  } finally {
    await spool.close()
  }
}
