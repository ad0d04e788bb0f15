// Runs the testing recipes through a proxy that checks every request and reply against the OpenAPI documents (Prism), and
// fails on a violation. Also checks that the proxy reports a wrong reply, and that svc proxy reports what it reports.
// Installs Prism in a temporary folder. Build first.
// Usage: node scripts/proxy-recipes.js [folder that has @stoplight/prism-cli installed]
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import { startSimulator } from '../dist/simulator/index.js'

const tool = '@stoplight/prism-cli@5.14.2'
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const page = readFileSync(join(root, 'docs', 'testing-recipes.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'proxy-recipes-'))
const installed = process.argv[2] ?? folder

if (process.argv[2] === undefined) {
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, tool]
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
  const violations = () => text.split('\n').filter((line) => /UNPROCESSABLE_ENTITY|VIOLATIONS|violation/i.test(line))
  const forwarded = () => (text.match(/Forwarding "/g) ?? []).length
  const stop = async () => {
    // The proxy writes its log after its replies.
    await setTimeout(1_000)
    proxy.kill()
  }
  return { url, stop, violations, forwarded }
}

/** Starts a server and resolves with its port. */
async function listen(answer) {
  const server = createServer(answer)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port, stop: () => (server.closeAllConnections(), server.close()) }
}

/** Whether a reply that is not as documented is reported. */
async function reportsWrongReply(document) {
  const service = await listen((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"wrong"}'),
  )
  const proxy = await startProxy('wrong', document, `http://127.0.0.1:${service.port}`)
  await (await fetch(`${proxy.url}/campaigns`, { headers: { authorization: 'Bearer cs_test_recipes' } })).text()
  await proxy.stop()
  service.stop()
  return proxy.violations().length > 0
}

async function freePort() {
  const { port, stop } = await listen()
  stop()
  return port
}

/** The shell blocks that send requests: all except the one that starts the simulator. */
const scripts = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text)
const [start = '', ...rest] = scripts
const world = JSON.parse(/<<'END'\n([\s\S]*?)\nEND/.exec(start)?.[1] ?? '{}')
const options = { world, paused: true, now: '2026-10-01T15:00:00Z', allowLocalWebhooks: true }
const simulator = await startSimulator(options)
const documentAt = async (path) => (await fetch(simulator.url + path)).json()

const apiDocument = await documentAt('/openapi.json')
const proxies = await Promise.all([
  startProxy('api', apiDocument, simulator.baseUrl),
  startProxy('control', await documentAt('/_sim/openapi.json'), simulator.url),
])
const [api, control] = proxies
const receiver = `node receiver.mjs > receiver.txt &
until grep -q listening receiver.txt; do sleep 0.1; done`
// Commands of svc do not go through the proxy.
const opening = `trap 'kill $(jobs -p) 2> /dev/null' EXIT
svc() { true; }
`
const recipes = rest
  .join('\n')
  .replaceAll('http://127.0.0.1:4010/api/v1/external', api.url)
  .replaceAll('http://127.0.0.1:4010', control.url)
  .replaceAll(/(:|listen\()3000\b/g, `$1${await freePort()}`)
  .replace(/^node receiver\.mjs$/m, receiver)

const shell = spawn('bash', ['-c', opening + recipes], { cwd: folder, stdio: 'inherit' })
await new Promise((resolve) => shell.once('exit', resolve))

await Promise.all(proxies.map((proxy) => proxy.stop()))
const requests = proxies.map((proxy) => proxy.forwarded()).reduce((sum, count) => sum + count)
const violations = proxies.flatMap((proxy) => proxy.violations())
await simulator.close()
const isReported = await reportsWrongReply(apiDocument)
const comparison = spawnSync(process.execPath, [join(root, 'scripts', 'proxy-comparison.js'), installed], {
  stdio: 'inherit',
})
rmSync(folder, { recursive: true, force: true })
process.stdout.write(`${requests} requests were forwarded, with ${violations.length} violations.\n`)
for (const line of violations) process.stdout.write(`${line}\n`)
process.stdout.write(isReported ? 'A wrong reply is reported.\n' : 'A wrong reply was not reported.\n')
if (requests === 0 || violations.length > 0 || !isReported || comparison.status !== 0) process.exitCode = 1
