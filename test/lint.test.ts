/** Faults planted against the lint rules that were written for this project. Each must be reported. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const time = 'Simulated time is an argument.'

type Planted = [path: string, code: string, message: string | null]

const planted: Planted[] = [
  ['simulator/engine.ts', 'export const now = Date.now()', time],
  ['simulator/engine.ts', 'export const now = performance.now()', time],
  ['simulator/engine.ts', 'export const now = process.hrtime()', time],
  ['simulator/engine.ts', 'globalThis.setTimeout(() => undefined, 1)', time],
  ['simulator/engine.ts', 'export const draw = Math.random()', 'Random values come from a named stream'],
  ['src/url.ts', "export const isGood = URL.canParse('a')", 'It misreads umlauts'],
  ['src/config/url.ts', "export const isGood = URL.canParse('a')", 'It misreads umlauts'],
  ['simulator/url.ts', "export const isGood = URL.canParse('a')", 'It misreads umlauts'],
  ['test/url.ts', "export const isGood = URL.canParse('a')", 'It misreads umlauts'],
  ['src/cli/home.ts', 'export const home = process.env', 'Only src/config reads the environment.'],
  ['src/config/home.ts', 'export const home = process.env', null],
  ['simulator/timer.ts', 'setTimeout(() => undefined, 1)', time],
  ['simulator/timer.ts', 'setInterval(() => undefined, 1)', time],
  ['simulator/timer.ts', "import { performance } from 'node:perf_hooks'\nexport { performance }", time],
  ['simulator/timer.ts', "import { setTimeout } from 'node:timers/promises'\nexport { setTimeout }", time],
  ['simulator/sender.ts', "export const sent = fetch('http://a.example')", 'Outgoing HTTP goes through'],
  ['simulator/kernel/system-clock.ts', 'setTimeout(() => undefined, 1)', null],
  ['src/cli/print.ts', "console.log('a')", 'Unexpected console statement'],
  ['scripts/print.js', "console.log('a')", null],
  ['test/a.test.ts', "it.only('a', () => {})", 'Every test runs.'],
  ['test/a.test.ts', "it.skip('a', () => {})", 'Every test runs.'],
  ['test/a.test.ts', "describe.only('a', () => {})", 'Every test runs.'],
  ['src/long.ts', 'export {}\n'.repeat(401), 'has too many lines'],
  ['src/long.ts', `export function long() {\n${'  long()\n'.repeat(71)}}`, 'has too many lines'],
]

/** Distinct names, so that one run of the linter sees all files. */
const files = planted.map(([path], n) =>
  path.endsWith('system-clock.ts') ? path : path.replace(/(\.test)?\.[jt]s$/, `-${n}$&`),
)

it('Oxlint reports each planted fault and nothing else', () => {
  const folder = temporaryFolder()
  // None of these rules needs types.
  const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as object
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, options: {} }))
  for (const [n, file] of files.entries()) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), `${planted[n]?.[1]}\n`)
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; message: string; help?: string }[] }
  const reported = files.map((file) => [
    file,
    [
      ...new Set(
        diagnostics.filter(({ filename }) => filename === file).map((one) => `${one.message} ${one.help ?? ''}`),
      ),
    ],
  ])
  expect(reported).toEqual(
    planted.map(([, , message], n) => [files[n], message === null ? [] : [expect.stringContaining(message)]]),
  )
})
