/** Before tests that start the built program: builds it where the sources are newer than what was built last. */
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['src', 'commands', 'simulator', 'scripts', 'package.json', 'tsconfig.json']

/** Once a run, before its first file. A run of named files that start nothing built does without. */
export function setup(): void {
  const named = process.argv.slice(2).filter((word) => word.startsWith('test/'))
  if (named.length > 0 && !named.some((word) => /^test\/(cli|package)/.test(word))) return
  // The manifest is what a build writes last.
  if (changedAt(join(root, 'oclif.manifest.json')) > Math.max(...sources.map((name) => changedAt(join(root, name)))))
    return
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.js')], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The program does not build, so the tests of what is built cannot run.')
}

/** Milliseconds of the newest change in a file, or in all that a folder holds; 0 for what is not there. */
function changedAt(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0
  return readdirSync(path).reduce((newest, name) => Math.max(newest, changedAt(join(path, name))), found.mtimeMs)
}
