// Bundles the program: an entry for each command and each export, and chunks that they share.
// A command that starts from a few files starts in half the time of one that loads two hundred.
import { build } from 'esbuild'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'

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

/** Modules that the command framework imports at its start, and that most commands never use. */
const loadedOnUse = {
  packages: [
    'ansis',
    'clean-stack',
    'debug',
    'ejs',
    'indent-string',
    'lilconfig',
    'minimatch',
    'node:child_process',
    'node:perf_hooks',
    'node:readline',
    'string-width',
    'tinyglobby',
    'widest-line',
    'wrap-ansi',
  ],
  ownModules: [
    'errors/errors/pretty-print.js',
    'help/docopts.js',
    'help/root.js',
    'parser/errors.js',
    'screen.js',
    'util/cache-command.js',
    'util/determine-priority.js',
    'util/read-tsconfig.js',
    'ux/index.js',
    'ux/theme.js',
    'ux/write.js',
  ],
}

/**
 * Replaces these modules, where the framework requires them, by a stand-in that loads the module when it is first used.
 * The build fails if a module of the list is never required: a new release of the framework needs a new list.
 */
const loadOnUse = {
  name: 'load-on-use',
  setup({ onResolve, onLoad, onEnd, resolve }) {
    const frameworkFolder = /^.*[\\/]@oclif[\\/]core[\\/]lib[\\/]/
    const isReplaced = {}
    for (const name of Object.values(loadedOnUse).flat()) isReplaced[name] = false
    onResolve({ filter: /./ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (kind !== 'require-call' || pluginData === 'resolved' || !frameworkFolder.test(importer)) return undefined
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: 'resolved' })
      const name = path.startsWith('.') ? found.path.replace(frameworkFolder, '').replaceAll('\\', '/') : path
      if (!Object.hasOwn(isReplaced, name)) return undefined
      isReplaced[name] = true
      return { path: found.path, namespace: 'load-on-use' }
    })
    onLoad({ filter: /./, namespace: 'load-on-use' }, ({ path }) => {
      // CommonJS that TypeScript wrote asks at once whether a module was an ES module.
      const isEsModule = Boolean(createRequire(import.meta.url)(path).__esModule)
      const contents = `
        let loaded
        const load = () => (loaded ??= require(${JSON.stringify(path)}))
        module.exports = new Proxy(function () {}, {
          get: (_, name) => (name === '__esModule' ? ${isEsModule} : load()[name]),
          apply: (_, self, values) => load().apply(self, values),
        })`
      return { contents, loader: 'js', resolveDir: isBuiltin(path) ? undefined : dirname(path) }
    })
    onEnd(() => {
      const missed = Object.keys(isReplaced).filter((name) => !isReplaced[name])
      if (missed.length === 0) return undefined
      return { errors: [{ text: `The command framework does not require: ${missed.join(', ')}` }] }
    })
  },
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

/** Writes the bundle into a folder, with more plugins of esbuild if given. Returns the files that were bundled. */
export async function bundle(root, outdir, plugins = []) {
  const entryPoints = [
    'src/cli/base/main.ts',
    'src/cli/help/help.ts',
    'src/cli/completion/complete.ts',
    ...['src/webhooks/sign.ts', 'src/client/client.ts', 'simulator/index.ts'],
    ...['simulator/plan/worker.ts', 'simulator/plan/planned-worlds.ts'],
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
    plugins: [...plugins, loadOnUse, callOnUse],
    // CommonJS packages in the bundle load Node's modules with it.
    banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
  })
  return Object.keys(metafile.inputs).filter((path) => !/^(?:load|call)-on-use:/.test(path))
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
