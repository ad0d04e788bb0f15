/** A folder that is removed after the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEachTest } from './ends.js'

const made: string[] = []
afterEachTest(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'lead-calling-'))
  made.push(folder)
  return folder
}

/** A path in a new temporary folder. The file does not exist yet. */
export const temporaryFile = (name = 'simulator.db'): string => join(temporaryFolder(), name)
