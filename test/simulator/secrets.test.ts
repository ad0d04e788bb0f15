/** Where the secrets of a world come from: a random root, or the seed where only this machine can use them. */
import { request } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.js'
import type { WorldFileInput } from '../../src/contract/control/world-file.js'
import { receive } from '../support/deliveries/receivers.js'
import { temporaryFile } from '../support/temporary-folder.js'

const running: Simulator[] = []
afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.close()
})

async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ paused: true, now: '2026-10-01T15:00:00Z', ...options })
  running.push(simulator)
  return simulator
}

const idsOf = (simulator: Simulator) => simulator.describe().keys.map(({ key_id }) => key_id)
const secretsOf = (simulator: Simulator) => simulator.describe().keys.map(({ secret }) => secret)
const beyond = { host: '0.0.0.0' } as const

async function send(simulator: Simulator, path: string, body: unknown = {}) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${simulator.controlToken}` }
  const sent = { method: 'POST', headers, body: JSON.stringify(body) } as const
  const { statusCode, body: answer } = await request(simulator.url + path, sent)
  return { status: statusCode, body: (await answer.json()) as { error?: { message: string } } }
}

it('secrets follow from a seed or a world file that was given, on this machine', async () => {
  const world: WorldFileInput = { organizations: [{ name: 'One' }] }
  for (const options of [{ seed: 7 }, { world }]) {
    const [one, other] = [await start(options), await start(options)]
    expect([idsOf(other), secretsOf(other)]).toEqual([idsOf(one), secretsOf(one)])
  }
  expect(secretsOf(await start({ seed: 7 }))).not.toEqual(secretsOf(await start({ seed: 8 })))
})

it('secrets are random otherwise, while ids stay those of the seed', async () => {
  const [one, other] = [await start(), await start()]
  expect(idsOf(other)).toEqual(idsOf(one))
  for (const secret of secretsOf(one)) {
    expect(secret).toMatch(/^cs_(live|test)_[A-Za-z0-9]{32}$/)
    expect(secretsOf(other)).not.toContain(secret)
  }
})

it('secrets are random beyond this machine, except those a world file names', async () => {
  const world: WorldFileInput = {
    organizations: [{ name: 'One', keys: [{ mode: 'test', secret: 'cs_test_named' }, { mode: 'live' }] }],
  }
  const [one, other] = [await start({ ...beyond, seed: 7, world }), await start({ ...beyond, seed: 7, world })]
  expect(idsOf(other)).toEqual(idsOf(one))
  expect([secretsOf(one)[0], secretsOf(other)[0]]).toEqual(['cs_test_named', 'cs_test_named'])
  expect(secretsOf(other)[1]).not.toBe(secretsOf(one)[1])
  expect(other.controlToken).not.toBe(one.controlToken)
})

it('secrets that follow from a seed are not used beyond this machine: a data file, a snapshot, a reset', async () => {
  const data = temporaryFile()
  const local = await start({ data, seed: 7 })
  expect((await send(local, '/_sim/snapshots', { name: 'seeded' })).status).toBe(201)
  await local.close()
  await expect(startSimulator({ data, ...beyond })).rejects.toThrow('To listen beyond this machine, start with --fresh')

  const far = await start({ data, ...beyond, fresh: true })
  const before = secretsOf(far)
  const restored = await send(far, '/_sim/snapshots/seeded/restore')
  expect(restored).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('can be guessed') as string } },
  })
  expect(secretsOf(far)).toEqual(before)
  expect(await send(far, '/_sim/worlds', { from: { snapshot: 'seeded' } })).toMatchObject({
    status: 400,
    body: { error: { message: restored.body.error?.message } },
  })
  expect((await send(far, '/_sim/reset', { seed: 7 })).status).toBe(200)
  expect(secretsOf(far)).not.toEqual(secretsOf(await start({ seed: 7 })))
})

it('secrets stay the same over a reset, and follow a seed that the reset names on this machine', async () => {
  const simulator = await start()
  const before = secretsOf(simulator)
  await send(simulator, '/_sim/reset')
  expect(secretsOf(simulator)).toEqual(before)
  await send(simulator, '/_sim/reset', { seed: 7 })
  expect(secretsOf(simulator)).toEqual(secretsOf(await start({ seed: 7 })))
})

it('beyond this machine, the answers of local receivers are not shown', async () => {
  for (const [options, shown] of [
    [{}, 'inside'],
    [beyond, null],
  ] as const) {
    const simulator = await start({ ...options, allowLocalWebhooks: true })
    const inside = await receive(() => ({ body: 'inside' }))
    const [key] = simulator.describe().keys
    const headers = { authorization: `Bearer ${key?.secret}`, 'content-type': 'application/json' }
    const api = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
      const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const answer = await request(simulator.baseUrl + path, sent)
      return (await answer.body.json()) as { data: { id: string } & { response_body: string }[] }
    }
    const made = await api('POST', '/webhook_endpoints', { url: inside.url, events: ['lead.created'] })
    await api('POST', `/webhook_endpoints/${made.data.id}/test`, { type: 'lead.created' })
    await simulator.advance('0s')
    const { data } = await api('GET', `/webhook_endpoints/${made.data.id}/deliveries`)
    expect(data[0]).toMatchObject({ response_status: 200, response_body: shown })
  }
})
