// Keeps what most commands never use out of the files that they load. Packages that the frameworks require, but hardly use,
// become files of their own, because compiling them takes time too. The build fails if a framework does not require what is
// listed here: a new release may need a new list.
import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'

/** What the frameworks require, and load only when it is first used. */
const frameworks = {
  '@oclif/core': {
    builtins: ['node:child_process', 'node:perf_hooks', 'node:readline'],
    packages: [
      'ansis',
      'clean-stack',
      'cli-spinners',
      'debug',
      'ejs',
      'indent-string',
      'lilconfig',
      'minimatch',
      'string-width',
      'tinyglobby',
      'widest-line',
      'wrap-ansi',
    ],
    ownModules: [
      'lib/errors/errors/pretty-print.js',
      'lib/help/docopts.js',
      'lib/help/root.js',
      'lib/parser/errors.js',
      'lib/screen.js',
      'lib/util/cache-command.js',
      'lib/util/determine-priority.js',
      'lib/util/read-tsconfig.js',
      'lib/ux/index.js',
      'lib/ux/theme.js',
      'lib/ux/write.js',
    ],
  },
  // The simulator checks and writes JSON itself, and has its own log.
  fastify: {
    builtins: ['node:dns', 'node:http2', 'node:https'],
    packages: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request', 'pino', 'semver'],
    ownModules: [],
  },
}

/** The build writes the manifest in this order. The first comparison of texts in a program loads the rules of its language. */
const sorting = '.sort((a, b) => a.id.localeCompare(b.id))'

/** Folder of the packages, from that of the chunks. */
const folder = 'on-use'
const fileOf = (name) => `${folder}/${name.replace('/', '-')}.cjs`

/** Writes the packages. Returns the files that were bundled. */
export async function bundlePackages(root, { outdir, ...options }) {
  const fromRoot = createRequire(join(root, 'package.json'))
  const entryPoints = Object.entries(frameworks).flatMap(([framework, { packages }]) => {
    const { resolve } = createRequire(fromRoot.resolve(framework))
    return packages.map((name) => ({ in: resolve(name), out: fileOf(name).replace('.cjs', '') }))
  })
  const outExtension = { '.js': '.cjs' }
  const { metafile } = await build({
    ...options,
    entryPoints,
    outdir: join(outdir, 'chunks'),
    format: 'cjs',
    outExtension,
  })
  return Object.keys(metafile.inputs)
}

export const loadOnUse = {
  name: 'load-on-use',
  setup({ onResolve, onLoad, onEnd, resolve }) {
    const missing = new Set(['wsl-utils', sorting])
    for (const [framework, lists] of Object.entries(frameworks))
      for (const name of Object.values(lists).flat()) missing.add(`${framework}: ${name}`)
    const frameworkOf = (path) => /^.*[\\/]node_modules[\\/](@oclif[\\/]core|fastify)[\\/](?!node_modules)/.exec(path)

    onResolve({ filter: /./ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      const [start, matched] = (kind === 'require-call' && pluginData !== 'resolved' && frameworkOf(importer)) || []
      if (start === undefined) return undefined
      const framework = matched.replace('\\', '/')
      const { builtins, packages, ownModules } = frameworks[framework]
      const isOwn = path.startsWith('.')
      if (!isOwn && !builtins.includes(path) && !packages.includes(path)) return undefined
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: 'resolved' })
      const name = isOwn ? found.path.slice(start.length).replaceAll('\\', '/') : path
      if (isOwn && !ownModules.includes(name)) return undefined
      missing.delete(`${framework}: ${name}`)
      return { path: found.path, namespace: 'load-on-use', pluginData: packages.includes(name) && `./${fileOf(name)}` }
    })
    onLoad({ filter: /./, namespace: 'load-on-use' }, ({ path, pluginData: file }) => {
      // CommonJS that TypeScript wrote asks at once whether a module was an ES module.
      const isEsModule = Boolean(createRequire(import.meta.url)(path).__esModule)
      const contents = `
        let loaded
        const load = () => (loaded ??= require(${JSON.stringify(file || path)}))
        module.exports = new Proxy(function () {}, {
          get: (_, name) => (name === '__esModule' ? ${isEsModule} : load()[name]),
          apply: (_, self, values) => load().apply(self, values),
        })`
      return { contents, loader: 'js', resolveDir: isBuiltin(path) ? undefined : dirname(path) }
    })
    onResolve({ filter: new RegExp(`^\\./${folder}/`) }, ({ path, namespace }) =>
      namespace === 'load-on-use' ? { path, external: true } : undefined,
    )

    // Each start asks this package one question. The rest of it starts programs.
    onResolve({ filter: /^wsl-utils$/ }, ({ path, importer, kind }) => {
      if (kind !== 'dynamic-import' || !frameworkOf(importer)) return undefined
      missing.delete(path)
      return { path, namespace: 'wsl', pluginData: importer }
    })
    onLoad({ filter: /./, namespace: 'wsl' }, ({ path, pluginData: importer }) => ({
      contents: `
        export { default as isWsl } from 'is-wsl'
        export const powerShellPath = async () => (await import('wsl-utils')).powerShellPath()`,
      resolveDir: dirname(createRequire(importer).resolve(path)),
    }))

    onLoad({ filter: /[\\/]@oclif[\\/]core[\\/]lib[\\/]config[\\/]plugin\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (text.includes(sorting)) missing.delete(sorting)
      return { contents: text.replace(sorting, ''), loader: 'js' }
    })

    onEnd(() => {
      if (missing.size === 0) return undefined
      return { errors: [{ text: `The frameworks do not use: ${[...missing].join(', ')}` }] }
    })
  },
}
