// Bundles the program: one entry for each command and each export, and shared chunks. A command that loads a few
// files starts in half the time of one that loads two hundred.
import { build } from 'esbuild'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const loadedByName = [
  // Native drivers, compiled for this machine.
  'better-sqlite3',
  'better-sqlite3-13',
  // Only loaded for numbers outside North America.
  'libphonenumber-js',
  // Only used by the command framework to run TypeScript commands.
  'typescript',
]

/** Lists the TypeScript files of a folder and its subfolders. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts'))
    .map((file) => join(file.parentPath, file.name))
}

/**
 * Makes the command framework load its imports on first use. Its modules are CommonJS compiled from TypeScript, which
 * names each import `<name>_<number>` and loads it at the top. A command needs a third of them.
 */
const loadOnUse = {
  name: 'load-on-use',
  setup({ onLoad }) {
    onLoad({ filter: /@oclif[\\/]core[\\/]lib[\\/].*\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      const names = new Set()
      const deferred = code.replace(/^const (\w+_\d+) = (.*\brequire\("[^"]+"\)\)?);$/gm, (_line, name, load) => {
        names.add(name)
        return `const ${name} = () => ${load};`
      })
      const called = deferred.replace(/(const )?\b(\w+_\d+)\b/g, (found, declared, name) =>
        declared === undefined && names.has(name) ? `(${name}())` : found,
      )
      return { contents: called, loader: 'js' }
    })
  },
}

/** Writes the bundle and the licenses of the packages in it. Returns the text of the licenses. */
export async function bundle(root, outdir) {
  const entryPoints = [
    'src/cli/base/main.ts',
    'src/cli/base/help.ts',
    ...['src/webhooks/sign.ts', 'src/client/client.ts', 'simulator/index.ts'],
  ].map((path) => join(root, path))
  const { metafile } = await build({
    entryPoints: [...entryPoints, ...sourcesIn(join(root, 'commands')), ...sourcesIn(join(root, 'src/cli/base/hooks'))],
    outdir,
    outbase: root,
    absWorkingDir: root,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.17',
    external: loadedByName,
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [loadOnUse],
    // CommonJS packages in the bundle need `require` for Node's modules.
    banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
  })
  return licensesOf(root, Object.keys(metafile.inputs))
}

/** Collects the licenses of the bundled packages, which they require. */
function licensesOf(root, inputs) {
  const folders = new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []))
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one))
      const text = file && existsSync(join(root, folder, file)) ? readFileSync(join(root, folder, file), 'utf8') : ''
      return [`${name} ${version} (${license})`, text.trim()].join('\n\n').trim()
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}
