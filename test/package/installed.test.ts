/** The package as it is packed and installed: what is in it, and the programs of the documentation, run with it as they stand. */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { WebhookEndpointWithSecret } from '../../src/contract/webhook-endpoints.js'
import { programs } from '../support/document.js'
import { freePort } from '../support/servers/free-port.js'
import { install, type Installed } from '../support/programs/installed.js'
import { simulate } from '../support/simulate.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

let installed: Installed
let folder: string
beforeAll(async () => {
  installed = await install('vitest', '@types/node')
  folder = installed.folder
  for (const [name, text] of programs) writeFileSync(join(folder, name), text)
})
afterAll(() => installed.remove())

it('has what it runs with and what there is to read, and no more', () => {
  const { files } = installed
  const others = files.filter(
    (path) =>
      !/^(dist\/(src|commands|simulator|chunks)\/.+\.(c?js|c?js\.map|d\.ts)|docs\/.+\.(md|svg|png))$/.test(path),
  )
  expect(others.sort()).toEqual([
    'LICENSE',
    'README.md',
    'bin/run.js',
    ...['app.js', 'icon.svg', 'index.html', 'theme.css'].map((name) => `dist/console/${name}`),
    'dist/licenses.txt',
    'docs/people.csv',
    'oclif.manifest.json',
    'package.json',
  ])
  const pages = files.filter((path) => path.startsWith('docs/') && path.endsWith('.md'))
  expect(pages).toEqual(expect.arrayContaining(['docs/commands.md', 'docs/commands/leads.md', 'docs/webhooks.md']))
})

it('has the notices of the programs inside the packages that it bundles', () => {
  const text = readFileSync(join(folder, 'node_modules', 'lead-calling', 'dist', 'licenses.txt'), 'utf8')
  for (const holder of [
    'Stephen Dolan',
    'K.Kosako',
    'International Business Machines',
    'Emscripten authors',
    'Rich Felker',
  ])
    expect(text).toContain(holder)
})

it('has a command that works', async () => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
  const { stdout } = await run(join('node_modules', '.bin', 'svc'), ['demo', '--json'], { cwd: folder, env })
  expect(JSON.parse(stdout)).toMatchObject({ data: { held: true } })
})

it("has a command of the package's own name, which `npx lead-calling` runs", async () => {
  const { stdout } = await run(join('node_modules', '.bin', 'lead-calling'), ['--version'], { cwd: folder })
  expect(stdout).toMatch(/^lead-calling\//)
})

it('passes the checks of publint', async () => {
  const messages = await publint({ pkgDir: join(folder, 'node_modules', 'lead-calling'), pack: false, strict: true })
  expect(messages.messages.map(({ code }) => code)).toEqual([])
})

it('starts a simulator that a client reaches, in a program that imports both', async () => {
  const program = `
    import { createClient } from 'lead-calling/client'
    import { startSimulator } from 'lead-calling/simulator'
    const simulator = await startSimulator()
    const key = simulator.describe().keys.find(({ mode }) => mode === 'test')
    const client = createClient({ baseUrl: simulator.baseUrl, key: { secret: key.secret } })
    console.log((await client.call('listCampaigns', {})).body.data.length)
    await simulator.close()`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder })
  expect(stdout).toBe('1\n')
})

it('gives its three parts to import, and the rest to nobody', async () => {
  const found = async (name: string) => {
    const program = `console.log(Object.keys(await import('${name}')).sort().join(' '))`
    const words = ['--input-type=module', '--eval', program]
    return run(process.execPath, words, { cwd: folder }).then(
      ({ stdout }) => stdout.trim(),
      ({ stderr }: { stderr: string }) => /\bERR_\w+/.exec(stderr)?.[0],
    )
  }
  const names = ['webhooks', 'client', 'simulator', 'dist/src/cli/base/main.js'].map((part) => `lead-calling/${part}`)
  expect(await Promise.all([...names, 'fast-check'].map(found))).toEqual([
    expect.stringMatching(/\bsign verify\b/),
    expect.stringMatching(/\bApiError\b.*\bcreateClient\b/),
    expect.stringMatching(/\bstartSimulator\b/),
    'ERR_PACKAGE_PATH_NOT_EXPORTED',
    'ERR_MODULE_NOT_FOUND',
  ])
})

it('goes with these programs, and each is run here', () => {
  expect([...programs.keys()]).toEqual([
    'receiver.js',
    'add-lead.js',
    'interested.test.js',
    'worlds.test.js',
    'recipes.test.js',
  ])
})

it('receiver.js takes what the service signs, each event once, and nothing else', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`
  const sim = await simulate({ allowLocalWebhooks: true })
  const { data } = await sim.live.post<WebhookEndpointWithSecret>('/webhook_endpoints', {
    url,
    events: ['lead.created'],
  })
  const env = { ...process.env, SVC_WEBHOOK_SECRET: data.secret, PORT: new URL(url).port }
  const receiver = spawn(process.execPath, ['receiver.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void receiver.kill('SIGKILL'))
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
  const post = async (body: string) => (await request(url, { method: 'POST', body })).statusCode
  expect((await lines.next()).value).toBe('listening')
  expect(await post('{}')).toBe(400)
  expect(await post('x'.repeat(300_000))).toBe(413)
  const unset = run(process.execPath, ['receiver.js'], { cwd: folder, env: { ...process.env, PORT: '0' } })
  await expect(unset).rejects.toThrow('Set SVC_WEBHOOK_SECRET')

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

/** What this run of vitest tells its own workers is not for another's. */
const unmarked = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS)/.test(name)))

describe.concurrent('the programs', () => {
  it('interested.test.js, recipes.test.js and worlds.test.js pass', async ({ expect }) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const { stdout } = await run(process.execPath, [vitest, 'run', '--no-color', '.js'], {
      cwd: folder,
      env: unmarked(),
    })
    expect(stdout).toMatch(/Tests\s+8 passed/)
  })

  it.each([
    ['NodeNext', { module: 'nodenext' }],
    ['Bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('are right by the types of the package under %s, with every strict check', async (name, resolution) => {
    const types = join(folder, `types-${name}`)
    mkdirSync(types)
    for (const [file, text] of programs) writeFileSync(join(types, file.replace(/\.js$/, '.ts')), text)
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      ...resolution,
      target: 'es2022',
      types: ['node'],
      noEmit: true,
      skipLibCheck: true,
    }
    writeFileSync(join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const wrong = await run(process.execPath, [compiler, '-p', '.'], { cwd: types }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(wrong).toBe('')
  })
})
