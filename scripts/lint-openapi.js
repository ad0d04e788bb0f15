// Lints both OpenAPI documents with Spectral's oas rules. Fails on errors and shows warnings. Installs Spectral in a
// temporary folder. Build first.
// Usage: node scripts/lint-openapi.js [folder that has @stoplight/spectral-cli installed]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'lint-openapi-'))
const installed = resolve(process.argv[2] ?? folder)
const run = (program, words) => spawnSync(program, words, { cwd: folder, stdio: 'inherit' }).status === 0

const install = [
  'install',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--prefix',
  folder,
  '@stoplight/spectral-cli@6.16.3',
]
if (process.argv[2] === undefined && !run('npm', install)) throw new Error('npm could not install Spectral')
writeFileSync(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n')
const svc = join(dirname(dirname(fileURLToPath(import.meta.url))), 'bin', 'run.js')
const printed = (...words) => spawnSync(process.execPath, [svc, 'openapi', ...words], { encoding: 'utf8' }).stdout
writeFileSync(join(folder, 'api.json'), printed())
writeFileSync(join(folder, 'control.json'), printed('--control'))

const spectral = join(installed, 'node_modules', '.bin', 'spectral')
const good = ['api.json', 'control.json'].map((file) => run(spectral, ['lint', '--ruleset', 'rules.yaml', file]))
rmSync(folder, { recursive: true, force: true })
if (good.includes(false)) process.exitCode = 1
