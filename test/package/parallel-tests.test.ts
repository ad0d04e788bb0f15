/** The Python and Go examples of docs/parallel-tests.md. Where Go is not installed, its HTTP calls are made by the test. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import type { IsolatedWorld } from '../../src/contract/control/worlds.js'
import { startSimulator } from '../../simulator/index.js'
import { blocksOf } from '../support/document.js'
import { simulate } from '../support/simulate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('Skipped: the Python example. There is no python3 here.\n')

it.runIf(hasPython)('the Python tests pass against a simulator', async () => {
  const { text } = blocksOf('docs/parallel-tests.md').find(({ language }) => language === 'python') ?? { text: '' }
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'lead_test.py'), text)
  const { url } = await simulate({ allowLocalWebhooks: true })
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SVC_CONTROL_URL: `${url}/_sim` }
  const { stderr } = await run('python3', ['lead_test.py'], { cwd: folder, env })
  expect(stderr).toMatch(/Ran 2 tests in [^]*OK\n$/)
})

const goText = (): string => blocksOf('docs/parallel-tests.md').find(({ language }) => language === 'go')?.text ?? ''
const hasGo = spawnSync('go', ['version']).status === 0
if (!hasGo) process.stderr.write('Skipped: running the Go example. There is no go here; its HTTP calls are checked.\n')

it.runIf(hasGo)('the Go test passes against a simulator', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'go.mod'), 'module leads\n\ngo 1.20\n')
  writeFileSync(join(folder, 'lead_test.go'), goText())
  const { url } = await simulate({ allowLocalWebhooks: true })
  const env = { ...process.env, SVC_CONTROL_URL: `${url}/_sim` }
  expect((await run('go', ['test', './...'], { cwd: folder, env })).stdout).toMatch(/^ok/)
})

/** `call(t, "POST", world.BaseURL+"/leads", world.secret(), added, &lead)` with its string constants. */
const callPattern =
  /call\(t, "(?<method>[A-Z]+)", (?<base>[\w.]+)\+"(?<path>[^"]+)"(?<id>\+[\w.]+)?, (?<secret>[^,]+), (?<body>`[^`]*`|"[^"]*"|\w+), /g

it('the HTTP calls of the Go test give what its structs read', async () => {
  const text = goText()
  const calls = [...text.matchAll(callPattern)].map(({ groups }) => groups ?? {})
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...['POST /worlds', 'DELETE /worlds/', 'POST /leads', 'POST /clock/advance', 'GET /leads/'],
  ])
  const host = await startSimulator({ paused: true, now: '2026-10-01T15:00:00Z', limits: false })
  onTestFinished(() => host.close())
  let world = {} as IsolatedWorld
  let lead = ''
  const seen: string[] = []
  const send = async ({ method, base, path, id, body = '' }: Record<string, string>) => {
    const roots: Record<string, string> = { control: `${host.url}/_sim`, 'world.BaseURL': world.base_url }
    const url = (roots[base ?? ''] ?? world.control_url) + path + (id ? (base === 'control' ? world.id : lead) : '')
    const added = JSON.stringify({ campaign_id: world.campaigns?.[0]?.id, phone: '+15550100001' })
    const sent = body === 'added' ? added : body.slice(1, -1)
    const secret = world.keys?.find(({ mode }) => mode === 'test')?.secret
    const headers = { 'content-type': 'application/json', ...(secret && { authorization: `Bearer ${secret}` }) }
    const reply = await fetch(url, { method: method ?? '', headers, ...(sent !== '' && { body: sent }) })
    const answer = await reply.text()
    expect([reply.ok, url, answer]).toEqual([true, url, answer])
    seen.push(answer)
    return (JSON.parse(answer) as { data: unknown }).data
  }
  const [create, remove, add, advance, read] = calls as Record<string, string>[]
  world = (await send(create!)) as IsolatedWorld
  lead = ((await send(add!)) as { id: string }).id
  await send(advance!)
  expect(await send(read!)).toMatchObject({ last_outcome: 'interested' })
  await send(remove!)
  for (const [, field] of text.matchAll(/`json:"(\w+)"`/g)) expect(seen.join('\n')).toContain(`"${field}":`)
})
