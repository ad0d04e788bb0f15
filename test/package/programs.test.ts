/** The programs in the documentation, each taken from it as it stands and run with the package as it is built. */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { request } from 'undici'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { WebhookEndpointWithSecret } from '../../src/contract/webhook-endpoints.js'
import { programs } from '../support/document.js'
import { freePort } from '../support/free-port.js'
import { simulate } from '../support/simulate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

let folder: string
/** A project of somebody else's that has the package, and vitest, installed. */
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true })
  const installed = { 'lead-calling': root, ...named('vitest', '@types/node') }
  for (const [name, path] of Object.entries(installed)) symlinkSync(path, join(folder, 'node_modules', name), 'dir')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const [name, text] of programs) writeFileSync(join(folder, name), text)
})

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, join(root, 'node_modules', name)]))

it('are these, and each is run here', () => {
  expect([...programs.keys()]).toEqual(['receiver.js', 'add-lead.js', 'interested.test.js', 'recipes.test.js'])
})

it('receiver.js takes what the service signs, each event once, and nothing else', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  const sim = await simulate({ allowLocalWebhooks: true })
  const { data } = await sim.live.post<WebhookEndpointWithSecret>('/webhook_endpoints', {
    url,
    events: ['lead.created'],
  })
  const env = { ...process.env, WEBHOOK_SECRET: data.secret, PORT: new URL(url).port }
  const receiver = spawn(process.execPath, ['receiver.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void receiver.kill('SIGKILL'))
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
  const post = (body: string) =>
    request(url, { method: 'POST', body }).then(
      ({ statusCode }) => statusCode,
      () => null,
    )
  await expect.poll(() => post('{}'), { timeout: 20_000 }).toBe(400)

  const { id } = await sim.lead()
  await sim.advance('0s')
  expect((await lines.next()).value).toBe(`lead.created ${id}`)
  const path = `/webhook_endpoints/${data.id}/deliveries`
  const [first] = (await sim.live.get<Delivery[]>(path)).data
  expect(first).toMatchObject({ status: 'sent', response_status: 204 })
  await sim.live.post(`${path}/${first?.id}/resend`)
  const other = await sim.lead()
  await sim.advance('0s')
  expect((await lines.next()).value).toBe(`lead.created ${other.id}`)
  expect((await sim.live.get<Delivery[]>(path)).data.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent'])
})

it('add-lead.js adds a lead, and tells a refusal by its code', async () => {
  const sim = await simulate()
  const { secret } = sim.test.key
  const env = { ...process.env, SVC_BASE_URL: sim.baseUrl, SVC_SECRET: secret, CAMPAIGN_ID: sim.campaignId }
  const added = await run(process.execPath, ['add-lead.js'], { cwd: folder, env })
  expect(added.stdout).toMatch(/^dialing [0-9a-f-]{36}\n$/)
  expect(await sim.test.all('/leads')).toHaveLength(1)
  const again = await run(process.execPath, ['add-lead.js'], { cwd: folder, env })
  expect(again.stderr).toMatch(/^duplicate_lead \S/)
})

it('interested.test.js and recipes.test.js pass', async () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { stdout } = await run(process.execPath, [vitest, 'run', '--no-color'], { cwd: folder, env: unmarked() })
  expect(stdout).toMatch(/Tests\s+5 passed/)
})

/** What this run of vitest tells its own workers is not for another's. */
const unmarked = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS)/.test(name)))

it('all of them are right by the types of the package, as strict as a compiler can be', async () => {
  for (const [name, text] of programs) writeFileSync(join(folder, name.replace(/\.js$/, '.ts')), text)
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    noEmit: true,
    skipLibCheck: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const wrong = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
  expect(wrong).toBe('')
})
