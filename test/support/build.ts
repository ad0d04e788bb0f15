/** Builds the program before tests that start it, if the sources are newer than the last build. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs once, before the first file. Runs of named files that need no build skip it. */
export function setup(): void {
  const named = process.argv.slice(2).filter((word) => word.startsWith('test/'))
  if (named.length > 0 && !named.some((word) => /^test\/(cli|console|package)/.test(word))) return
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.js'), '--if-changed'], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The program does not build, so the tests of what is built cannot run.')
}
