// Bundles the program: an entry for each command and each export, and chunks that they share.
// A command that starts from a few files starts in half the time of one that loads two hundred.
import { build } from 'esbuild'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bundlePackages, loadOnUse } from './load-on-use.js'
import { sharedChunks } from './shared-chunks.js'

const loadedByName = [
  // Drivers compiled for this machine.
  'better-sqlite3',
  'better-sqlite3-13',
  // Only numbers outside North America load its metadata.
  'libphonenumber-js',
  // The command framework looks for it where commands are TypeScript.
  'typescript',
]

/** Lists the TypeScript files in a folder, with those in its subfolders. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts'))
    .map((file) => join(file.parentPath, file.name))
}

/**
 * Packages that our modules import as a default function, and that most runs never call. As `string-width` loads, it builds
 * a segmenter and the set of all emoji.
 */
const calledOnUse = ['string-width']

/** Loads these packages when they are first called. */
const callOnUse = {
  name: 'call-on-use',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /./ }, async ({ path, importer, kind, resolveDir }) => {
      if (kind !== 'import-statement' || !calledOnUse.includes(path) || importer.includes('node_modules'))
        return undefined
      const found = await resolve(path, { importer, kind: 'require-call', resolveDir })
      return { path: found.path, namespace: 'call-on-use' }
    })
    onLoad({ filter: /./, namespace: 'call-on-use' }, ({ path }) => {
      const contents = `
        let loaded
        export default (...values) => (loaded ??= require(${JSON.stringify(path)})).default(...values)`
      return { contents, loader: 'js', resolveDir: dirname(path) }
    })
  },
}

/** CommonJS packages in the bundle load Node's modules with it. */
const banner = "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);"

/** Empties the first line of files that do not call `require`, because making that function takes time. */
function removeUnusedBanners(paths) {
  for (const path of paths.filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(path, 'utf8')
    if (text.startsWith(banner) && !/\brequire\b/.test(text.slice(banner.length)))
      writeFileSync(path, text.slice(banner.length))
  }
}

/** Writes the bundle into a folder, with more plugins of esbuild if given. Returns the files that were bundled. */
export async function bundle(root, outdir, plugins = []) {
  const apart = [
    'src/cli/completion/complete.ts',
    ...['src/webhooks/sign.ts', 'src/client/client.ts', 'simulator/index.ts'],
    ...['simulator/plan/worker.ts', 'simulator/plan/planned-worlds.ts'],
  ].map((path) => join(root, path))
  const program = [
    ...['src/cli/base/main.ts', 'src/cli/help/help.ts'].map((path) => join(root, path)),
    ...sourcesIn(join(root, 'commands')),
    ...sourcesIn(join(root, 'src/cli/base/hooks')),
  ]
  const options = {
    outdir,
    outbase: root,
    absWorkingDir: root,
    bundle: true,
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
  }
  const splitting = { splitting: true, format: 'esm', chunkNames: 'chunks/[name]-[hash]', banner: { js: banner } }
  const ofProgram = { ...options, ...splitting, entryPoints: [...program, ...apart] }
  const share = await sharedChunks(root, { ...ofProgram, plugins: [loadOnUse, callOnUse] }, apart)
  const { metafile } = await build({ ...ofProgram, plugins: [...plugins, share, loadOnUse, callOnUse] })
  removeUnusedBanners(Object.keys(metafile.outputs).map((path) => join(root, path)))
  const ofPackages = await bundlePackages(root, options)
  return [
    ...Object.keys(metafile.inputs).filter((path) => !/^(?:load-on-use|call-on-use|wsl):/.test(path)),
    ...ofPackages,
  ]
}

/** Collects the licenses of the packages that the files belong to, as they ask for. */
export function licensesOf(root, inputs) {
  const folders = new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []))
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const file = readdirSync(join(root, folder)).find((one) => /^licen[cs]e/i.test(one))
      const texts = [file && join(root, folder, file), noticesOf(root, name)].filter((path) => path && existsSync(path))
      return [`${name} ${version} (${license})`, ...texts.map((path) => readFileSync(path, 'utf8').trim())].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** Path of the notices of programs that a package contains without their licenses. */
const noticesOf = (root, name) => join(root, 'scripts', 'notices', `${name.replace('/', '-')}.txt`)
