/** Copies the data file and its write-ahead log while the program runs: the state that a kill would leave. */
import { copyFileSync, existsSync } from 'node:fs'
import { temporaryFile } from '../temporary-folder.js'

/**
 * Returns the path of the copy. The copy is consistent, because the simulator runs in this process and this function
 * is synchronous.
 */
export function crashCopy(path: string): string {
  const copy = temporaryFile()
  for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part)
  return copy
}
