import { request as rawRequest } from 'node:http'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { IncomingMessage } from 'node:http'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import { startSimulator } from '../../simulator/index.js'
import { simulate } from '../support/simulate.js'

/** Where this machine can be reached from others, if it can. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** The status of a reply to a request with these exact headers, including `Host`. */
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
    ['0.0.0.0:4010', 403],
    ['[::]', 403],
    ['[fe80::1]', 403],
    ['localhost.', 403],
    ['localhost@attacker.example', 403],
    ['a b', 403],
  ])('asked as the host %j answers %i', async (host, expected) => {
    const sim = await simulate()
    expect(await status(`${sim.url}/_sim/clock`, { host })).toBe(expected)
  })

  it.each([
    ['http://127.0.0.1:PORT', 200],
    ['http://localhost:PORT', 200],
    ['http://[::1]:PORT', 200],
    ['http://localhost:3000', 403],
    ['http://127.0.0.1', 403],
    ['https://127.0.0.1:PORT', 403],
    ['https://attacker.example', 403],
    ['http://attacker.example:PORT', 403],
    ['http://localhost.attacker.example:PORT', 403],
    ['http://0.0.0.0:PORT', 403],
    ['http://192.168.1.5:PORT', 403],
    ['null', 403],
    ['file://', 403],
    ['', 403],
  ])('asked from a page of %j answers %i', async (page, expected) => {
    const sim = await simulate()
    const origin = page.replace('PORT', new URL(sim.url).port)
    expect(await status(`${sim.url}/_sim/clock`, { origin })).toBe(expected)
  })

  it('is its own under a forwarded port: what counts is the port the page and the request have in common', async () => {
    const sim = await simulate()
    const asked = (host: string, origin: string) => status(`${sim.url}/_sim/clock`, { host, origin })
    expect(await asked('localhost:5000', 'http://localhost:5000')).toBe(200)
    expect(await asked('localhost:5000', sim.url)).toBe(403)
  })

  it('answers under the IPv6 address of this machine', async ({ skip }) => {
    const simulator = await startSimulator({ host: '::1', paused: true }).catch(() => null)
    if (simulator === null) return skip('this machine has no IPv6')
    expect(simulator.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect(simulator.controlToken).toBeNull()
    expect(await status(`${simulator.url}/_sim/clock`, {})).toBe(200)
    expect(await status(`${simulator.url}/_sim/clock`, { host: 'attacker.example' })).toBe(403)
    await simulator.close()
  })

  it('is not reached under another address of this machine', async ({ skip }) => {
    if (outside === undefined) return skip('this machine has no other address')
    const sim = await simulate()
    const asking = status(`http://${outside}:${new URL(sim.url).port}/_sim/clock`, {})
    await expect(asking).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('guards every route the same way, the stream too, before it does anything', async () => {
    const sim = await simulate()
    for (const { method, path } of Object.values(control)) {
      expect([path, await status(sim.url + path, { host: 'attacker.example' }, method)]).toEqual([path, 403])
    }
    expect(sim.now).toBe('2026-10-01T15:00:00.000Z')
    expect(await sim.live.all('/leads')).toEqual([])
  })

  it('guards what is no route too: a path of none, another method, and what a browser asks beforehand', async () => {
    const sim = await simulate()
    const others = [
      ['GET', '/_sim'],
      ['GET', '/_sim/nothing'],
      ['DELETE', '/_sim/world'],
      ['OPTIONS', '/_sim/clock'],
    ] as const
    for (const [method, path] of others) {
      expect([path, await status(sim.url + path, {}, method)]).toEqual([path, 404])
      expect([path, await status(sim.url + path, { host: 'attacker.example' }, method)]).toEqual([path, 403])
      expect([path, await status(sim.url + path, { origin: 'https://attacker.example' }, method)]).toEqual([path, 403])
    }
  })

  it('needs no key', async () => {
    const sim = await simulate()
    expect((await sim.ask('GET', '/_sim/world')).status).toBe(200)
  })

  it('says who is refused, in the shape of the API', async () => {
    const sim = await simulate()
    const { statusCode, body } = await request(`${sim.url}/_sim/clock`, { headers: { host: 'attacker.example' } })
    expect([statusCode, await body.json()]).toEqual([
      403,
      {
        error: {
          type: 'permission_error',
          code: 'permission_denied',
          message: 'The Host header is not the simulator’s own. Start it with --allow-host <name> to add a name.',
          param: null,
          request_id: expect.stringMatching(/^req_/) as string,
        },
      },
    ])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'takes no body of the kind a page may send anywhere: %s',
    async (type) => {
      const sim = await simulate()
      await sim.lead()
      const sent = { method: 'POST', headers: { 'content-type': type }, body: '{}' } as const
      const { statusCode, body } = await request(`${sim.url}/_sim/reset`, sent)
      await body.dump()
      expect([statusCode, (await sim.live.all('/leads')).length]).toEqual([400, 1])
    },
  )
})

describe('a page of another origin', () => {
  const page = 'https://attacker.example'

  it.each(['/_sim/reset', '/_sim/world', '/api/v1/external/leads', '/storage/x'])(
    'is not told that it may ask for %s, and may read nothing of its answer',
    async (path) => {
      const sim = await simulate()
      for (const method of ['OPTIONS', 'GET', 'POST'] as const) {
        const asks = { origin: page, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x' }
        const { statusCode, headers, body } = await request(sim.url + path, { method, headers: asks })
        await body.dump()
        if (method === 'OPTIONS') expect(statusCode).toBeGreaterThanOrEqual(400)
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )

  it.each([page, 'null', 'http://localhost:1'])('changes nothing by a form that it sends from %s', async (origin) => {
    const sim = await simulate()
    const { id } = await sim.lead()
    for (const path of [`/_sim/leads/${id}/take_out`, '/_sim/reset', '/_sim/clock/advance', '/_sim/snapshots']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
        const form = {
          method: 'POST',
          headers: { origin, 'content-type': type },
          body: '{"by":"1h","name":"x"}',
        } as const
        const { statusCode, body } = await request(sim.url + path, form)
        await body.dump()
        expect([path, type, statusCode]).toEqual([path, type, 403])
      }
    }
    expect([(await sim.readLead(id)).status, sim.now]).toEqual(['dialing', '2026-10-01T15:00:00.000Z'])
  })
})

describe('the control plane beyond this machine', () => {
  it('asks for the token on every route', async () => {
    const simulator = await startSimulator({ host: '0.0.0.0', controlToken: 'open-sesame', paused: true })
    expect(simulator.controlToken).toBe('open-sesame')
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    for (const { method, path } of Object.values(control)) {
      expect([path, await status(simulator.url + path, {}, method)]).toEqual([path, 401])
      expect([path, await status(simulator.url + path, bearer('open-sesamE'), method)]).toEqual([path, 401])
    }
    expect(await status(`${simulator.url}/_sim/nothing`, {})).toBe(401)
    expect(await status(`${simulator.url}/_sim/nothing`, bearer('open-sesame'))).toBe(404)
    expect(await status(`${simulator.url}/_sim/clock`, bearer('open-sesame'))).toBe(200)
    expect(await status(`${simulator.url}/_sim/stream`, bearer('open-sesame'))).toBe(200)
    if (outside !== undefined) {
      const url = simulator.url.replace('127.0.0.1', outside)
      expect(await status(`${url}/_sim/clock`, bearer('open-sesame'))).toBe(200)
      expect(await status(`${url}/_sim/clock`, {})).toBe(401)
    }
    await simulator.close()
  })

  it('takes no page and no name for its own but those it listens on', async () => {
    const simulator = await startSimulator({ host: '0.0.0.0', controlToken: 'open-sesame', paused: true })
    const { port } = new URL(simulator.url)
    const asked = (headers: Record<string, string>) =>
      status(`${simulator.url}/_sim/clock`, { authorization: 'Bearer open-sesame', ...headers })
    expect(await asked({ host: `192.168.1.5:${port}` })).toBe(200)
    expect(await asked({ host: `192.168.1.5:${port}`, origin: `http://192.168.1.5:${port}` })).toBe(200)
    expect(await asked({ host: `192.168.1.5:${port}`, origin: `http://192.168.1.6:${port}` })).toBe(403)
    expect(await asked({ host: 'attacker.example' })).toBe(403)
    expect(await asked({ origin: 'http://attacker.example' })).toBe(403)
    await simulator.close()
  })

  it.each(['', ' ', 'two words', 'schlüssel', 'a\nb'])(
    'takes %j for no token: it would let in nobody, or everybody',
    async (token) => {
      await expect(startSimulator({ host: '0.0.0.0', controlToken: token })).rejects.toThrow(
        new RangeError('the control token is one or more visible ASCII characters, with no blank among them'),
      )
    },
  )

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
