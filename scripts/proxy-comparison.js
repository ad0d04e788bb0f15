// Sends wrong requests and wrong replies through Prism and through svc proxy, and fails where only Prism reports a
// violation. Skipped without Prism. Build first.
// Usage: node scripts/proxy-comparison.js <folder that has @stoplight/prism-cli installed>
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { fetch } from 'undici'
import { startSimulator } from '../dist/simulator/index.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cli = join(process.argv[2] ?? root, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js')
if (!existsSync(cli)) {
  process.stdout.write(
    'Prism is not installed. Name a folder that has it: npm install --prefix <folder> @stoplight/prism-cli\n',
  )
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'proxy-comparison-'))
// Replies have the RateLimit headers, and no case meets a limit.
const limits = { burst: 1_000, requests_per_minute: 10_000 }
const world = { organizations: [{ name: 'Acme', keys: [{ mode: 'test', limits }] }] }
const simulator = await startSimulator({ port: 0, data: ':memory:', paused: true, now: '2026-10-01T15:00:00Z', world })
const { secret } = simulator.describe().keys.find(({ mode }) => mode === 'test')
const { id: campaign_id } = simulator.describe().campaigns[0]
const authorization = `Bearer ${secret}`
const lead = { campaign_id, phone: '+16462011000', dry_run: true }

/** A request, and what is wrong with it or with its reply. */
const cases = [
  ['nothing', 'GET /campaigns'],
  ['nothing', 'POST /leads', lead],
  ['nothing', 'GET /leads/00000000-0000-4000-8000-000000000000'],
  // Requests.
  ['an unknown field', 'POST /leads', { ...lead, colour: 'red' }],
  ['a missing field', 'POST /leads', { phone: lead.phone }],
  ['a number that is text', 'POST /leads', { ...lead, dry_run: 'yes' }],
  ['a text that is too long', 'POST /leads', { ...lead, name: 'x'.repeat(201) }],
  ['an id that is no UUID', 'POST /leads', { ...lead, campaign_id: '7' }],
  [
    'consent without a text or a page',
    'POST /leads',
    { ...lead, consent: { source: 'a', agreed_at: '2026-01-05T10:00:00Z' } },
  ],
  ['no body', 'POST /leads'],
  ['a limit over 100', 'GET /leads?limit=101'],
  ['an unknown status', 'GET /leads?status=waiting'],
  ['a month that is none', 'GET /usage?period=2026-13'],
  ['no phone', 'GET /dnc/check'],
  ['an Idempotency-Key that is too long', 'POST /leads', lead, { 'idempotency-key': 'k'.repeat(256) }],
  ['no key', 'GET /leads', undefined, { authorization: undefined }],
  ['an unknown path', 'GET /nothing'],
  ['another method', 'PUT /leads', lead],
  // Replies.
  ['a field is missing', 'GET /campaigns', ({ data: [first] }) => delete first.name],
  ['a field has another type', 'GET /campaigns', ({ data: [first] }) => (first.lines = '5')],
  ['a value is not in the list', 'GET /campaigns', ({ data: [first] }) => (first.status = 'open')],
  ['an id is no UUID', 'GET /campaigns', ({ data: [first] }) => (first.id = '7')],
  ['a time is no date-time', 'GET /campaigns', ({ data: [first] }) => (first.created = 'yesterday')],
  ['meta is missing', 'GET /campaigns', (body) => delete body.meta],
  ['a list is an object', 'GET /campaigns', (body) => (body.data = body.data[0])],
  ['a status is not documented', 'GET /campaigns', (_body, reply) => (reply.status = 206)],
  [
    'an error has an unknown code',
    'GET /leads/00000000-0000-4000-8000-000000000000',
    ({ error }) => (error.code = 'gone'),
  ],
  ['an error has no type', 'GET /leads/00000000-0000-4000-8000-000000000000', ({ error }) => delete error.type],
  [
    'an error has the code of another endpoint',
    'GET /campaigns',
    (body, reply) => {
      reply.status = 409
      body.error = {
        type: 'invalid_request_error',
        code: 'duplicate_lead',
        message: '',
        param: null,
        request_id: 'req_1',
      }
      delete body.data
    },
  ],
  ['a negative count', 'GET /usage', ({ data }) => (data.totals.calls = -1)],
  ['a dry run without a status', 'POST /leads', ({ data }) => delete data.status, lead],
  ['no JSON', 'GET /campaigns', (_body, reply) => (reply.text = '<h1>Oops</h1>')],
]

/** How the service below changes its reply to the request that is under way. */
let change = () => {}

/** The simulator, with replies that are changed. */
const service = createServer((asked, response) => {
  void buffer(asked).then(async (body) => {
    const { method, url, headers } = asked
    const { host: _host, connection: _connection, ...kept } = headers
    const got = await fetch(simulator.url + url, { method, headers: kept, ...(body.length > 0 && { body }) })
    const reply = { status: got.status, text: '' }
    const json = await got.json()
    change(json, reply)
    const sent = Object.fromEntries(
      [...got.headers].filter(([name]) => !['connection', 'keep-alive', 'content-length'].includes(name)),
    )
    response.writeHead(reply.status, sent).end(reply.text || JSON.stringify(json))
  })
})
await new Promise((resolve) => service.listen(0, '127.0.0.1', resolve))
const upstream = `http://127.0.0.1:${service.address().port}/api/v1/external`

/** Starts a program and resolves with it when its output matches. */
async function start(words, ready) {
  const program = spawn(process.execPath, words, { env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } })
  const lines = createInterface(program.stdout)
  const records = []
  const url = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [, found] = ready.exec(line) ?? []
      if (found) resolve(found)
      else records.push(line)
    })
    program.once('exit', () => reject(new Error(`${words[0]} did not start`)))
  })
  return { url, program, records, lines }
}

const file = join(folder, 'openapi.json')
writeFileSync(file, await (await fetch(`${simulator.url}/openapi.json`)).text())
const prism = await start(
  [cli, 'proxy', file, upstream, '--errors', '--port', '0', '--verboseLevel', 'info'],
  /listening on (http:\S+)/,
)
const ours = await start(
  [join(root, 'bin', 'run.js'), 'proxy', '--to', upstream, '--port', '0', '--json'],
  /"base_url":"([^"]+)"/,
)

async function send(url, line, body, headers) {
  const [method, path] = line.split(' ')
  const sent = { authorization, ...(body && { 'content-type': 'application/json' }), ...headers }
  if (sent.authorization === undefined) delete sent.authorization
  const got = await fetch(url + path, { method, headers: sent, ...(body && { body: JSON.stringify(body) }) })
  await got.text()
  return got
}

let missed = 0
for (const [what, line, ...more] of cases) {
  const [wrong, body] = typeof more[0] === 'function' ? more : [() => {}, more[0]]
  const headers = typeof more[0] === 'function' ? undefined : more[1]
  change = wrong
  const got = await send(prism.url, line, body, headers)
  const byPrism = (got.headers.get('content-type') ?? '').includes('problem+json')
  const before = ours.records.length
  await send(ours.url, line, body, headers)
  while (ours.records.length === before)
    await new Promise((resolve) => ours.lines.once('line', () => setImmediate(resolve)))
  const { departures } = JSON.parse(ours.records.at(-1))
  const isOurs = departures.length > 0
  if (byPrism && !isOurs) missed++
  const verdict = (is) => (is ? 'reports' : '-').padEnd(8)
  const rules = [...new Set(departures.map(({ where, rule }) => `${where} ${rule}`))].join(', ')
  process.stdout.write(
    `${line.split('?')[0].slice(0, 24).padEnd(25)} ${what.padEnd(44)} Prism ${verdict(byPrism)} svc proxy ${verdict(isOurs)} ${rules}\n`,
  )
}
prism.program.kill()
ours.program.kill()
service.closeAllConnections()
service.close()
await simulator.close()
rmSync(folder, { recursive: true, force: true })
process.stdout.write(
  missed === 0 ? 'svc proxy reports all that Prism reports.\n' : `${missed} violations are reported by Prism only.\n`,
)
process.exitCode = missed === 0 ? 0 : 1
