// Runs the testing recipes through a proxy (Prism) that checks every request and reply against the OpenAPI documents,
// and fails on a violation. Installs the proxy in a temporary folder. Build first.
// Usage: node scripts/proxy-recipes.js [folder that has @stoplight/prism-cli installed]
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import { startSimulator } from '../dist/simulator/index.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const page = readFileSync(join(root, 'docs', 'testing-recipes.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'proxy-recipes-'))
const installed = process.argv[2] ?? folder

if (process.argv[2] === undefined) {
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, '@stoplight/prism-cli']
  if (spawnSync('npm', install, { stdio: 'inherit' }).status !== 0) throw new Error('npm could not install Prism')
}

/** Starts a proxy for one document and collects its output. */
async function startProxy(name, document, upstream) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(document))
  const cli = join(installed, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js')
  const words = [cli, 'proxy', file, upstream, '--errors', '--port', '0', '--verboseLevel', 'info']
  const proxy = spawn(process.execPath, words, { env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } })
  let text = ''
  const url = await new Promise((resolve, reject) => {
    const read = (data) => {
      text += data
      const [, address] = /listening on (http:\S+)/.exec(text) ?? []
      if (address) resolve(address)
    }
    proxy.stdout.on('data', read)
    proxy.stderr.on('data', read)
    proxy.once('exit', () => reject(new Error(`the proxy did not start:\n${text}`)))
  })
  return { url, stop: () => proxy.kill(), said: () => text }
}

/** The shell blocks that send requests: all except the one that starts the simulator. */
const scripts = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text)
const [start = '', ...rest] = scripts
const world = JSON.parse(/<<'END'\n([\s\S]*?)\nEND/.exec(start)?.[1] ?? '{}')
const simulator = await startSimulator({ world, paused: true, now: '2026-10-01T15:00:00Z' })
const documentAt = async (path) => (await fetch(simulator.url + path)).json()

const proxies = await Promise.all([
  startProxy('api', await documentAt('/openapi.json'), simulator.baseUrl),
  startProxy('control', await documentAt('/_sim/openapi.json'), simulator.url),
])
const [api, control] = proxies
const recipes = rest
  .join('\n')
  .replaceAll('http://127.0.0.1:4010/api/v1/external', api.url)
  .replaceAll('http://127.0.0.1:4010', control.url)

const shell = spawn('bash', ['-c', recipes], { cwd: folder, stdio: 'inherit' })
await new Promise((resolve) => shell.once('exit', resolve))

const requests = proxies.flatMap(({ said }) => said().match(/Forwarding "/g) ?? []).length
const violations = proxies.flatMap(({ said }) =>
  said()
    .split('\n')
    .filter((line) => /UNPROCESSABLE_ENTITY|VIOLATIONS|violation/i.test(line)),
)
for (const proxy of proxies) proxy.stop()
await simulator.close()
rmSync(folder, { recursive: true, force: true })
process.stdout.write(`${requests} requests were forwarded, with ${violations.length} violations.\n`)
for (const line of violations) process.stdout.write(`${line}\n`)
if (requests === 0 || violations.length > 0) process.exitCode = 1
