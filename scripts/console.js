// Bundles the console into static files.
import { build } from 'esbuild'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the console's page, program, styles and icon into a folder. Returns the files that were bundled. */
export async function bundleConsole(root, folder) {
  const source = join(root, 'console')
  const { metafile } = await build({
    entryPoints: { app: join(source, 'app.tsx'), theme: join(source, 'theme.css') },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(source, name), join(folder, name))
  return Object.keys(metafile.inputs)
}
