/** A folder for tests that write files; it is removed after the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'lead-calling-'))
  made.push(folder)
  return folder
}

/** The path of a file that is not there yet. */
export const temporaryFile = (name = 'simulator.db'): string => join(temporaryFolder(), name)
