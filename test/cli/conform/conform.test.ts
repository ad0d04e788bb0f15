import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConformanceResult } from '../../../src/conform/report/result.js'
import { freePort } from '../../support/servers/free-port.js'
import { PlainService } from '../../support/servers/plain-service.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** A simulator that runs by itself and sends webhooks to this machine, and its test key. */
const start = () => SvcAt.alone({ paused: false, allowLocalWebhooks: true }, 'test')

const resultOf = (stdout: string) => JSON.parse(stdout) as ConformanceResult

describe('svc conform', () => {
  it('prints a line for each rule, exits 0 when nothing departs, and leaves everything as it was', async () => {
    const at = await start()
    const state = async () => [
      (await at.client.get('/webhook_endpoints')).data,
      (await at.client.get('/dnc?limit=100')).data,
      (await at.client.get<{ status: string }[]>('/campaigns')).data.map(({ status }) => status),
    ]
    await at.client.post('/dnc', { phone: '+12125557801' })
    const before = await state()
    const { code, stdout } = await at.run(['conform'])
    expect({ code, departs: /DEPARTS/.test(stdout) }).toEqual({ code: 0, departs: false })
    expect(stdout).toMatch(/^A1 {3}holds +The checks on a new lead run in their order/m)
    expect(stdout).toMatch(/^A4 {3}not asked +.*it takes 5,000 leads$/m)
    expect(stdout).toMatch(/^\d+ rules hold, 0 depart, \d+ could not be asked: \d+ checks, \d+ requests, \d+ s\.$/m)
    expect(stdout).toContain(`2 test leads stay in campaign ${at.simulation.campaignId}: the API cannot remove leads.`)
    expect(await state()).toEqual(before)
  })

  it('finds no departure in data of an earlier run, and masks secrets and phone numbers in every output', async () => {
    const at = await start()
    await at.run(['conform'])
    const file = join(temporaryFolder(), 'junit.xml')
    const { stdout, stderr } = await at.run(['conform', '--json', '--junit', file, '--verbose'])
    const { checks, left_behind } = resultOf(stdout)
    expect(checks.filter(({ result }) => result === 'departs')).toEqual([])
    expect(left_behind).toMatchObject({ leads: 0, not_removed: [] })
    const all = stdout + stderr + readFileSync(file, 'utf8')
    expect(all).not.toContain(at.client.key.secret)
    expect(all).not.toMatch(/whsec_\w|\+1\d{10}/)
  })

  it('works with a deployment that has no control plane', async () => {
    const at = await start()
    const plain = await PlainService.before(at.simulation.url)
    const ran = await at.run(['conform', '--json'], { env: { SVC_BASE_URL: plain.baseUrl } })
    const { checks } = resultOf(ran.stdout)
    expect(checks.filter(({ result }) => result === 'departs')).toEqual([])
    expect(plain.asked.filter((line) => line.includes('/_sim'))).toEqual([])
  })

  it('asks a key with few permissions only what it may do', async () => {
    const at = await start()
    const key = await at.simulation.key({ mode: 'test', permissions: ['leads:read', 'dnc:read'] })
    const ran = await at.run(['conform', '--json'], { env: { SVC_KEY_ID: key.key_id, SVC_SECRET: key.secret } })
    const { checks, summary } = resultOf(ran.stdout)
    expect(checks.filter(({ result }) => result === 'departs')).toEqual([])
    expect(summary.not_asked).toBeGreaterThan(100)
    expect(checks.find(({ rule }) => rule === 'A5')).toMatchObject({ reason: 'the key lacks leads:write' })
    expect(checks.filter(({ rule, result }) => rule === 'K3' && result === 'holds').length).toBeGreaterThan(0)
  })

  it('asks a key for some campaigns about those only', async () => {
    const at = await start()
    await at.simulation.campaign({ name: 'Of others' })
    const key = await at.simulation.key({ mode: 'test', campaign_ids: [at.simulation.campaignId] })
    const ran = await at.run(['conform', '--json'], { env: { SVC_KEY_ID: key.key_id, SVC_SECRET: key.secret } })
    const { checks } = resultOf(ran.stdout)
    expect(checks.filter(({ result }) => result === 'departs')).toEqual([])
    expect(checks.filter(({ rule }) => rule === 'K5').map(({ result }) => result)).toEqual(['holds', 'holds'])
  })

  it('writes JUnit with one test case a check', async () => {
    const at = await start()
    const file = join(temporaryFolder(), 'junit.xml')
    const { checks } = resultOf((await at.run(['conform', '--only', 'parsing,gate', '--junit', file, '--json'])).stdout)
    const xml = readFileSync(file, 'utf8')
    expect(xml.match(/<testcase /g)).toHaveLength(checks.length)
    expect(xml.match(/<skipped /g)).toHaveLength(checks.filter(({ result }) => result === 'not_asked').length)
    expect(xml).not.toMatch(/&(?!amp;|lt;|gt;|quot;|apos;|#\d+;)/)
  })

  it('prints one check a line with -o ndjson', async () => {
    const at = await start()
    const { stdout } = await at.run(['conform', '--only', 'errors', '-o', 'ndjson'])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines.length).toBeGreaterThan(4)
    expect(lines[0]).toMatchObject({ rule: 'F2', group: 'errors', result: 'holds' })
  })

  it('shows how replies differ from those of a fresh simulator', async () => {
    const at = await start()
    const ran = await at.run(['conform', '--only', 'parsing,leads', '--against', 'simulator', '--json'])
    expect({ code: ran.code, differences: resultOf(ran.stdout).differences }).toEqual({ code: 0, differences: [] })
  })
})

describe('svc conform refuses', () => {
  it('an unknown group, with the list of groups', async () => {
    const at = await start()
    const { code, stderr } = await at.run(['conform', '--only', 'lead'])
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean leads? The groups are gate, parsing')
  })

  it('a live key, before it sends anything', async () => {
    const at = await SvcAt.alone({ paused: false })
    const plain = await PlainService.before(at.simulation.url)
    const { code, stderr } = await at.run(['conform'], { env: { SVC_BASE_URL: plain.baseUrl } })
    expect({ code, asked: plain.asked }).toEqual({ code: 2, asked: [] })
    expect(stderr).toContain('add --live')
  })

  it('a key that the deployment refuses, with exit code 4', async () => {
    const at = await start()
    const { code } = await at.run(['conform'], { env: { SVC_KEY_ID: '', SVC_SECRET: 'cs_test_0123456789abcdef' } })
    expect(code).toBe(4)
  })

  it('an address without a server, with exit code 8', async () => {
    const at = await start()
    const { code } = await at.run(['conform'], { env: { SVC_BASE_URL: `http://127.0.0.1:${await freePort()}` } })
    expect(code).toBe(8)
  })

  it('a file that cannot be written, before it sends anything', async () => {
    const at = await start()
    const { code, stderr } = await at.run(['conform', '--junit', join(temporaryFolder(), 'none', 'x.xml')])
    expect({ code, stderr }).toMatchObject({ code: 2 })
    expect(stderr).toContain('there is no such folder')
  })

  it('a receiver without TLS, or without a port', async () => {
    const at = await start()
    expect((await at.run(['conform', '--receiver', 'http://example.com', '--listen', '9'])).code).toBe(2)
    expect((await at.run(['conform', '--receiver', 'https://example.com'])).code).toBe(2)
  })
})

it('svc conform prints what is known and cleans up when it is interrupted', async () => {
  const at = await start()
  const { svc, env, client } = at
  const began = expect.poll(async () => (await client.get<unknown[]>('/dnc')).data).not.toEqual([])
  const ran = await svc.run(['conform', '--only', 'dnc,webhooks', '--requests-per-minute', '600'], {
    env,
    interrupted: began,
  })
  expect(ran.code).toBe(130)
  expect(ran.stdout).toMatch(/Interrupted\. \d+ rules? holds?/)
  expect((await client.get<unknown[]>('/dnc')).data).toEqual([])
  expect((await client.get<unknown[]>('/webhook_endpoints')).data).toEqual([])
})
