// Generates clients from the API's OpenAPI document with three generators, compiles them under strict TypeScript, and
// makes the calls of a testing recipe with each against a simulator. Installs the tools in a temporary folder. Build
// first.
// Usage: node scripts/generated-clients.js [folder that has the tools installed]
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { fetch } from 'undici'
import { startSimulator } from '../dist/simulator/index.js'

const tools = [
  ...['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.95.0', 'orval@7.13.2'],
  ...['typescript@5.9.3', 'tsx@4.23.15'],
]
const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'))

/** Runs a program in the folder; throws when it fails. */
function run(program, words, env = {}) {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } }
  const { status, stdout, stderr } = spawnSync(program, words, options)
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}\n${stderr}`)
  return stdout
}
const tool = (name, ...words) => run(process.execPath, [join(folder, 'node_modules', '.bin', name), ...words])

/** One recipe per client: adds a lead, starts a call by external_id, reads the lead, and branches on types. */
const recipes = {
  'openapi-fetch.ts': `
import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript.js'

const { BASE_URL: baseUrl = '', SECRET = '', CAMPAIGN: campaign_id = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${SECRET}\` } })

const { data, error } = await client.POST('/leads', { body: { campaign_id, phone: '+15550100001', external_id: 'fetch' } })
if (error) throw new Error(error.error.code)
console.log(data.data.status)
const start: components['schemas']['StartCall'] = { external_id: 'none', campaign_id }
const started = await client.POST('/calls', { body: start })
if (started.response.status === 404) console.log(started.error?.error.code)
const leads = await client.GET('/leads', { params: { query: { external_id: 'fetch' } } })
console.log(leads.response.status)
const campaigns = await client.GET('/campaigns')
const opens: string | undefined = campaigns.data?.data[0]?.calling_hours.mon?.[0]?.[0]
console.log(opens)

export function heard(event: components['schemas']['Event']): string {
  return event.type === 'call.completed' ? String(event.data.revision) : event.type === 'lead.late' ? String(event.data.late.waited_seconds) : event.id
}
`,
  'hey-api.ts': `
import { client } from './hey-api/client.gen.js'
import { createLead, listCampaigns, listLeads, startCall } from './hey-api/sdk.gen.js'
import type { Event, StartCall } from './hey-api/types.gen.js'

const { BASE_URL: baseUrl = '', SECRET = '', CAMPAIGN: campaign_id = '' } = process.env
client.setConfig({ baseUrl, auth: SECRET })

const { data, error } = await createLead({ body: { campaign_id, phone: '+15550100001', external_id: 'hey' } })
if (error) throw new Error(error.error.code)
console.log(data.data.status)
const start: StartCall = { external_id: 'none', campaign_id }
const started = await startCall({ body: start })
console.log(started.error?.error.code)
console.log((await listLeads({ query: { external_id: 'hey' } })).response?.status)
const campaigns = await listCampaigns()
const opens: string | undefined = campaigns.data?.data[0]?.calling_hours.mon?.[0]?.[0]
console.log(opens)

export function heard(event: Event): string {
  return event.type === 'call.completed' ? String(event.data.revision) : event.type === 'lead.late' ? String(event.data.late.waited_seconds) : event.id
}
`,
  'orval.ts': `
import { createLead, listCampaigns, listLeads, startCall, type Event, type StartCall } from './orval-client.js'

const { SECRET = '', CAMPAIGN: campaign_id = '' } = process.env
const init = { headers: { authorization: \`Bearer \${SECRET}\` } }

const added = await createLead({ campaign_id, phone: '+15550100001', external_id: 'orval' }, init)
if (added.status !== 201) throw new Error(String(added.status))
console.log(added.data.data.status)
const start: StartCall = { external_id: 'none', campaign_id }
const started = await startCall(start, init)
if (started.status === 404) console.log(started.data.error.code)
console.log((await listLeads({ external_id: 'orval' }, init)).status)
const campaigns = await listCampaigns(undefined, init)
const opens: string | undefined = campaigns.status === 200 ? campaigns.data.data[0]?.calling_hours.mon?.[0]?.[0] : undefined
console.log(opens)

export function heard(event: Event): string {
  return event.type === 'call.completed' ? String(event.data.revision) : event.type === 'lead.late' ? String(event.data.late.waited_seconds) : event.id
}
`,
}
const expected = ['dialing', 'not_found', '200', '08:00', ''].join('\n')

const compilerOptions = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'Bundler',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: false,
}

const simulator = await startSimulator({ paused: true, limits: false, now: '2026-10-01T15:00:00Z' })
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  if (process.argv[2] === undefined) run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tools])
  else symlinkSync(resolve(process.argv[2], 'node_modules'), join(folder, 'node_modules'))

  const document = await (await fetch(`${simulator.url}/openapi.json`)).json()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  tool('openapi-typescript', 'openapi.json', '-o', 'openapi-typescript.ts')
  tool('openapi-ts', '-i', 'openapi.json', '-o', 'hey-api')
  const output = { target: 'orval-client.ts', client: 'fetch', baseUrl: simulator.baseUrl }
  const config = JSON.stringify({ api: { input: 'openapi.json', output } })
  writeFileSync(join(folder, 'orval.config.cjs'), `module.exports = ${config}`)
  tool('orval', '--config', 'orval.config.cjs')
  for (const [name, text] of Object.entries(recipes)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'globals.d.ts'), 'declare const process: { env: Record<string, string | undefined> }\n')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'hey-api'] }))
  tool('tsc', '-p', '.')

  const { keys } = simulator.describe()
  const env = {
    BASE_URL: simulator.baseUrl,
    SECRET: keys.find(({ mode }) => mode === 'test').secret,
  }
  for (const name of Object.keys(recipes)) {
    // A separate campaign for each client, because the same lead can be added only once.
    const made = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ name, consent_required: false })
    const { data } = await (await fetch(`${simulator.url}/_sim/campaigns`, { ...made, body })).json()
    const words = [join(folder, 'node_modules', '.bin', 'tsx'), name]
    const options = { cwd: folder, env: { ...process.env, ...env, CAMPAIGN: data.id } }
    const { stdout: said } = await promisify(execFile)(process.execPath, words, options)
    if (said !== expected) throw new Error(`${name} said:\n${said}\nand not:\n${expected}`)
    process.stdout.write(`${name}: compiled, and made its calls.\n`)
  }
} finally {
  await simulator.close()
  rmSync(folder, { recursive: true, force: true })
}
