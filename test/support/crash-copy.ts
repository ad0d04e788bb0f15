/** What a kill at this moment would leave: the data file and its write-ahead log, copied while the program runs. */
import { copyFileSync, existsSync } from 'node:fs'
import { temporaryFile } from './temporary-folder.js'

/** The path of the copy. Nothing is written meanwhile: the simulator runs in this process, and this takes no turn. */
export function crashCopy(path: string): string {
  const copy = temporaryFile()
  for (const part of ['', '-wal']) if (existsSync(path + part)) copyFileSync(path + part, copy + part)
  return copy
}
