/** The package as users get it: packed, unpacked into an empty project, with only its own dependencies. */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const { dependencies, optionalDependencies, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  bin: Record<string, string>
}

export interface Installed {
  /** The project that has it. */
  folder: string
  /** What is in the tarball. */
  files: readonly string[]
  remove(): void
}

/**
 * Installs it without a network. A link leads to each dependency, whose own are found where it really is; what the
 * package imports without naming it is not found. `others` are installed next to it, as the project's own.
 */
export async function install(...others: string[]): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  // Packed as it is: its scripts would rebuild it while other tests use it.
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', words, { cwd: root, maxBuffer: 2 ** 24 })
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  await run('tar', ['-xzf', packed.filename], { cwd: folder })
  renameSync(join(folder, 'package'), join(modules, 'lead-calling'))
  const optional = Object.keys(optionalDependencies).filter((name) => existsSync(join(root, 'node_modules', name)))
  for (const name of [...Object.keys(dependencies), ...optional, ...others]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'dir')
  }
  for (const [name, file] of Object.entries(bin))
    symlinkSync(join('..', 'lead-calling', file), join(modules, '.bin', name))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  return { folder, files: packed.files.map(({ path }) => path), remove }
}
