/** C libraries that intercept a program's disk calls; not available without a compiler. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compiles a library of `test/support` into the folder. Returns its path, or why that is impossible here. */
export function preload(name: string, folder: string): { library: string; obstacle: string | null } {
  const library = join(folder, `${name}.so`)
  if (process.platform !== 'linux') return { library, obstacle: 'this is no Linux' }
  const source = fileURLToPath(new URL(`${name}.c`, import.meta.url))
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  return { library, obstacle: status === 0 ? null : 'there is no C compiler `cc`' }
}
