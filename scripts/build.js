// Builds the program: bundles it into a clean dist/ with the types of its exports, and lists its commands in a
// manifest. The old build stays until the new one is complete, because another process may be running it. With
// --if-changed it does nothing if no source is newer than the build, because npx runs `prepare` before it first runs
// the program.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, licensesOf } from './bundle.js'
import { bundleConsole } from './console.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const inRoot = (...path) => join(root, ...path)

// A packed copy was built before it was packed and contains no sources.
if (!existsSync(inRoot('tsconfig.json'))) process.exit(0)

/** Newest change time in milliseconds of a file or of everything in a folder; 0 if it does not exist. */
function changedAt(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0
  return readdirSync(path).reduce((newest, name) => Math.max(newest, changedAt(join(path, name))), found.mtimeMs)
}

const sources = [
  'src',
  'commands',
  'simulator',
  'console',
  'scripts',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
]
// The build writes the manifest last.
const isBuilt =
  existsSync(inRoot('dist')) &&
  sources.every((name) => changedAt(inRoot(name)) < changedAt(inRoot('oclif.manifest.json')))
if (process.argv.includes('--if-changed') && isBuilt) process.exit(0)

const next = inRoot(`dist-next-${process.pid}`)
const last = inRoot(`dist-last-${process.pid}`)
const types = inRoot(`dist-types-${process.pid}`)
try {
  declare(types)
  const bundled = await bundle(root, next)
  const ofConsole = await bundleConsole(root, join(next, 'console'))
  writeFileSync(join(next, 'licenses.txt'), licensesOf(root, [...bundled, ...ofConsole]))
  copyDeclarations(types, next)
} catch (error) {
  rmSync(next, { recursive: true, force: true })
  throw error
} finally {
  rmSync(types, { recursive: true, force: true })
}
if (existsSync(inRoot('dist'))) renameSync(inRoot('dist'), last)
renameSync(next, inRoot('dist'))
rmSync(last, { recursive: true, force: true })

/** Checks types and writes the declarations of all sources into a folder. */
function declare(folder) {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const words = [compiler, '-p', inRoot('tsconfig.build.json'), '--outDir', folder]
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Copies the declarations of the exports and of everything they refer to. */
function copyDeclarations(from, to) {
  const { exports } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  const waiting = Object.values(exports).flatMap(({ types }) => (types ? [types.replace('./dist/', '')] : []))
  const copied = new Set()
  for (let path; (path = waiting.pop()) !== undefined;) {
    if (copied.has(path)) continue
    copied.add(path)
    const text = readFileSync(join(from, path), 'utf8')
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), text)
    const referred = [...text.matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g)]
    waiting.push(...referred.map(([, name]) => join(dirname(path), `${name}.d.ts`)))
  }
}

const { Plugin } = await import('@oclif/core')
const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true })
await plugin.load()
// Sorted here, so that the program does not sort it at each start.
const commands = Object.entries(plugin.manifest.commands).sort(([one], [other]) => one.localeCompare(other))
const manifest = { ...plugin.manifest, commands: Object.fromEntries(commands) }
writeFileSync(inRoot('oclif.manifest.json'), `${JSON.stringify(manifest)}\n`)

// npm links the bins of dependencies but not the project's own. With this link, `npx svc` works at once.
const link = inRoot('node_modules', '.bin', 'svc')
if (process.platform !== 'win32' && existsSync(inRoot('node_modules')) && !existsSync(link)) {
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(join('..', '..', 'bin', 'run.js'), link)
}
