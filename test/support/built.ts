/** The program as it is shipped: built by the project's own build, once for each state of the sources, apart from the checkout. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const parts = ['package.json', 'tsconfig.json', 'bin', 'scripts', 'src', 'commands', 'simulator']

/** The folder of the built program. Builds it where no test of these sources has yet. */
export function builtProgram(): string {
  const folder = join(tmpdir(), `lead-calling-built-${digest()}`)
  if (existsSync(folder)) return folder
  // Several files of tests may build at once: each in a folder of its own, and the first one there is used by all.
  const own = `${folder}.${process.pid}`
  for (const part of parts) cpSync(join(root, part), join(own, part), { recursive: true })
  // Its own folder of links, so that the link to the program is made here and not in the checkout.
  mkdirSync(join(own, 'node_modules'))
  for (const entry of readdirSync(join(root, 'node_modules')).filter((name) => name !== '.bin')) {
    symlinkSync(join(root, 'node_modules', entry), join(own, 'node_modules', entry))
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.js'], { cwd: own, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the program could not be built:\n${stdout}${stderr}`)
  try {
    renameSync(own, folder)
  } catch {
    rmSync(own, { recursive: true, force: true })
  }
  return folder
}

/** Of everything the build reads. */
function digest(): string {
  const hash = createHash('sha256')
  for (const path of parts.flatMap((part) => filesIn(part)).sort()) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

function filesIn(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path]
  const entries = readdirSync(join(root, path), { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
}
