// Installs, builds and tests a clone of the last commit with other Node releases, one after the other. npm downloads
// the releases.
// Usage: node scripts/other-releases.js [release,release] [vitest's arguments]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [releases = '20,22,24,26', ...tests] = process.argv.slice(2)

function run(cwd, program, ...words) {
  const { status } = spawnSync(program, words, { cwd, stdio: 'inherit' })
  return status === 0
}

const failed = []
for (const release of releases.split(',')) {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  const withRelease = (...words) => run(folder, 'npx', '--yes', '--package', `node@${release}`, '--', ...words)
  const good =
    run(root, 'git', 'clone', '--quiet', root, folder) &&
    withRelease('node', '--version') &&
    withRelease('npm', 'ci') &&
    withRelease('node', 'bin/run.js', 'demo') &&
    withRelease('node', 'node_modules/vitest/vitest.mjs', 'run', ...tests)
  if (!good) failed.push(release)
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(failed.length > 0 ? `Failed with Node ${failed.join(', ')}.\n` : `Passed with Node ${releases}.\n`)
process.exitCode = failed.length > 0 ? 1 : 0
