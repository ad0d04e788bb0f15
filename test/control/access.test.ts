import { request as rawRequest } from 'node:http'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import { startSimulator } from '../../simulator/index.js'
import { simulate } from '../support/simulate.js'

/** The status of an answer, whatever the headers; `Host` too is sent as it is given. */
async function status(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  const sent = rawRequest(url, { method, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.destroy()
  return response.statusCode ?? 0
}

describe('the control plane on this machine', () => {
  it.each([
    ['127.0.0.1:1', 200],
    ['localhost:4010', 200],
    ['LOCALHOST', 200],
    ['[::1]:9', 200],
    ['127.8.8.8', 200],
    ['attacker.example', 403],
    ['127.0.0.1.attacker.example', 403],
    ['localhost.attacker.example:80', 403],
    ['192.168.1.5', 403],
    ['a b', 403],
  ])('asked as the host %j answers %i', async (host, expected) => {
    const sim = await simulate()
    expect(await status(`${sim.url}/_sim/clock`, { host })).toBe(expected)
  })

  it.each([
    ['http://localhost:3000', 200],
    ['http://127.0.0.1', 200],
    ['https://attacker.example', 403],
    ['http://localhost.attacker.example', 403],
    ['null', 403],
    ['file://', 403],
  ])('asked from a page of %j answers %i', async (origin, expected) => {
    const sim = await simulate()
    expect(await status(`${sim.url}/_sim/clock`, { origin })).toBe(expected)
  })

  it('guards every route the same way, the stream too, before it does anything', async () => {
    const sim = await simulate()
    for (const { method, path } of Object.values(control)) {
      expect([path, await status(sim.url + path, { host: 'attacker.example' }, method)]).toEqual([path, 403])
    }
    expect(sim.now).toBe('2026-10-01T15:00:00.000Z')
    expect(await sim.live.all('/leads')).toEqual([])
  })

  it('needs no key, and takes no body of another kind than JSON', async () => {
    const sim = await simulate()
    expect(
      await status(`${sim.url}/_sim/reset`, { 'content-type': 'text/plain', 'content-length': '2' }, 'POST').catch(
        () => 0,
      ),
    ).not.toBe(200)
    expect((await sim.ask('GET', '/_sim/world')).status).toBe(200)
  })
})

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

describe('the control plane beyond this machine', () => {
  it('asks for the token on every route', async () => {
    const simulator = await startSimulator({ host: '0.0.0.0', controlToken: 'open-sesame', paused: true })
    expect(simulator.controlToken).toBe('open-sesame')
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    for (const { method, path } of Object.values(control)) {
      expect([path, await status(simulator.url + path, {}, method)]).toEqual([path, 401])
      expect([path, await status(simulator.url + path, bearer('open-sesamE'), method)]).toEqual([path, 401])
    }
    expect(await status(`${simulator.url}/_sim/clock`, bearer('open-sesame'))).toBe(200)
    expect(await status(`${simulator.url}/_sim/stream`, bearer('open-sesame'))).toBe(200)
    if (outside !== undefined) {
      const url = simulator.url.replace('127.0.0.1', outside)
      expect(await status(`${url}/_sim/clock`, bearer('open-sesame'))).toBe(200)
      expect(await status(`${url}/_sim/clock`, {})).toBe(401)
    }
    await simulator.close()
  })

  it('makes a token of its own that nobody can reckon', async () => {
    const made: (string | null)[] = []
    for (let i = 0; i < 2; i++) {
      const simulator = await startSimulator({ host: '0.0.0.0', seed: 1, now: '2026-10-01T15:00:00Z' })
      made.push(simulator.controlToken)
      await simulator.close()
    }
    expect(made[0]).toMatch(/^[\w-]{32}$/)
    expect(made[1]).not.toBe(made[0])
  })
})
