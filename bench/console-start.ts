/** Measures what the console adds to the start of the simulator, compared with a build that leaves it out. */
import { spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'
import { median, msOf, times, type Row } from './row.js'

const rounds = 25
const root = fileURLToPath(new URL('../', import.meta.url))

/** Leaves out the modules that serve the page and its routes. */
const withoutConsole: Plugin = {
  name: 'without-console',
  setup(build) {
    build.onLoad({ filter: /[\\/]simulator[\\/]http[\\/]console\.ts$/ }, () => ({
      contents: `export const consolePath = '/console'; export const serveConsole = () => undefined`,
    }))
    build.onLoad({ filter: /[\\/]http[\\/]control[\\/]console[\\/][a-z-]+\.ts$/ }, ({ path }) => ({
      contents: standIns[path.replace(/^.*[\\/]/, '')] ?? '',
    }))
  },
}

const handlers = (name: string, ...routes: string[]) =>
  `export const ${name} = () => ({ ${routes.map((route) => `${route}: () => undefined`).join(', ')} })`

const standIns: Readonly<Record<string, string>> = {
  'delivery-details.ts': handlers('deliveryDetailHandlers', 'getDelivery'),
  'figures.ts': handlers('figuresHandlers', 'getFigures'),
  'lead-views.ts': handlers('leadViewHandlers', 'listLeadsInApp', 'getLeadStory'),
  'schedule.ts': handlers('scheduleHandlers', 'getSchedule'),
  'pulse.ts': 'export class Pulses { close() {} }',
}

interface Bundler {
  bundle: (root: string, outdir: string, plugins: readonly Plugin[]) => Promise<string[]>
}

/** Copies the program into a folder, built without the console. Returns its path. */
async function buildWithout(folder: string): Promise<string> {
  const bundler = new URL('../scripts/bundle.js', import.meta.url).href
  const { bundle } = (await import(bundler)) as Bundler
  const copy = join(folder, 'without-console')
  mkdirSync(copy)
  await bundle(root, join(copy, 'dist'), [withoutConsole])
  for (const name of ['package.json', 'oclif.manifest.json']) copyFileSync(join(root, name), join(copy, name))
  cpSync(join(root, 'bin'), join(copy, 'bin'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return join(copy, 'bin', 'run.js')
}

/** Starts a simulator and resolves when it is ready. */
async function start(program: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, [program, 'simulate', '--port', '0', '--json', '--data', ':memory:'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, SVC_CONFIG_DIR: folder },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', () => resolve())
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code} before it was ready`)))
  })
  child.kill('SIGKILL')
  await ended
}

export async function measureConsoleStart(folder: string): Promise<Row[]> {
  const without = await buildWithout(folder)
  const [full, bare]: [number[], number[]] = [[], []]
  for (let i = 0; i < rounds; i++) {
    full.push(await msOf(() => start(join(root, 'bin', 'run.js'), folder)))
    bare.push(await msOf(() => start(without, folder)))
  }
  return [
    {
      what: 'Console: `svc simulate` to ready',
      beside: 'a build without the console',
      result: `${times(median(full), median(bare))} (quickest: ${times(Math.min(...full), Math.min(...bare))})`,
      budget: 'within 1.02 times',
    },
  ]
}
