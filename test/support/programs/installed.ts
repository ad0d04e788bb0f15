/** The package as users get it: packed, and unpacked into an empty project with only its dependencies. */
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

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)
const { dependencies, optionalDependencies, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  bin: Record<string, string>
}

export interface Installed {
  /** The project that the package is installed in. */
  folder: string
  /** Files in the tarball. */
  files: readonly string[]
  remove(): void
}

/**
 * Installs the package without a network. Each dependency is a link, so its own dependencies are found in its real
 * place; an import of a package that is not declared fails. `others` are installed as dependencies of the project.
 */
export async function install(...others: string[]): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'installed-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  // Without scripts: they would rebuild the program while other tests use it.
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
