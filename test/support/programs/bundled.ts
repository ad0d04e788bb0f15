/** Test programs as single files: they start in a quarter of the time that the sources need. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const made = new Map<string, string>()

/** Bundles a TypeScript file of `test/support` on its first use, and returns the path of the bundle. */
export function bundled(file: string): string {
  const known = made.get(file)
  if (known !== undefined) return known
  // One folder below the root, as the sources expect it. Several workers may write it at the same time.
  const path = join(root, 'dist-programs', `${file.replaceAll(/\W/g, '-')}.mjs`)
  const own = `${path}.${process.pid}`
  buildSync({
    entryPoints: [join(root, 'test/support', file)],
    outfile: own,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.17',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
  })
  renameSync(own, path)
  made.set(file, path)
  return path
}
