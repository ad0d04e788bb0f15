/** The OpenAPI documents as they are served: their server, who may read them, and examples that succeed. */
import { request as rawRequest } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../simulator/index.js'
import { control } from '../../src/contract/control.js'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { contract } from '../../src/contract/index.js'
import { apiExamples, controlExamples } from '../../src/contract/openapi/examples.js'
import { noBody } from '../../src/contract/base/empty-body.js'
import { NameServer } from '../support/servers/name-server.js'
import { simulate, simulateAlone, type Reply } from '../support/simulate.js'

const paths = ['/openapi.json', '/_sim/openapi.json']

interface Document {
  servers: { url: string }[]
  paths: Record<string, unknown>
}

async function documentAt(url: string, headers: Record<string, string> = {}) {
  const [response] = (await once(rawRequest(url, { headers }).end(), 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: (await json(response)) as Document }
}

describe('the served OpenAPI documents', () => {
  it('name the address of the world that the request was sent to', async () => {
    const { url } = await simulate()
    expect((await documentAt(url + '/openapi.json')).body.servers).toEqual([{ url: `${url}/api/v1/external` }])
    expect((await documentAt(url + '/_sim/openapi.json')).body.servers).toEqual([{ url }])
  })

  it('describe the API and the control plane', async () => {
    const { url } = await simulate()
    expect(Object.keys((await documentAt(url + '/openapi.json')).body.paths)).toContain('/leads')
    expect(Object.keys((await documentAt(url + '/_sim/openapi.json')).body.paths)).toContain('/_sim/clock')
  })

  it.each([
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['localhost:9000', 'http://localhost:9000'],
    ['[::1]:9000', 'http://[::1]:9000'],
  ])('name the address that the request was sent to: %s', async (host, origin) => {
    const { url } = await simulateAlone()
    const withPort = (text: string) => text.replace('PORT', new URL(url).port)
    const of = async (path: string) => (await documentAt(url + path, { host: withPort(host) })).body.servers
    expect(await of('/openapi.json')).toEqual([{ url: `${withPort(origin)}/api/v1/external` }])
    expect(await of('/_sim/openapi.json')).toEqual([{ url: withPort(origin) }])
  })

  it('can be read by pages of any origin, and nothing else can', async () => {
    const { url, test } = await simulate()
    const origin = 'https://docs.example.com'
    for (const path of paths) {
      const { status, headers } = await documentAt(url + path, { origin })
      expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
    }
    const elsewhere = [
      '/api/v1/external/leads',
      '/api/v1/external/none',
      '/_sim/clock',
      '/_sim/world',
      '/_sim/none',
      '/',
    ]
    for (const path of elsewhere) {
      const headers = { origin, authorization: `Bearer ${test.key.secret}` }
      const got = await request(url + path, { headers })
      await got.body.dump()
      expect(got.headers['access-control-allow-origin'], path).toBeUndefined()
    }
    const preflight = await request(`${url}/openapi.json`, { method: 'OPTIONS', headers: { origin } })
    await preflight.body.dump()
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('are served whatever Host is asked for, because they hold no secret', async () => {
    const { url } = await simulate()
    for (const path of ['/openapi.json', '/_sim/openapi.json'])
      expect((await documentAt(url + path, { host: 'attacker.example' })).status).toBe(200)
  })

  it('keep the control plane behind its token', async () => {
    const simulator = await startSimulator({ host: '0.0.0.0', controlToken: 'open-sesame' })
    const ask = (headers: Record<string, string>) =>
      documentAt(`http://127.0.0.1:${new URL(simulator.url).port}/_sim/openapi.json`, headers)
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'Bearer open-sesame' })).status).toBe(200)
    await simulator.close()
  })
})

type Endpoints = Readonly<Record<string, Endpoint>>

const takingBodies = (endpoints: Endpoints) =>
  Object.entries(endpoints)
    .filter(([, { body }]) => body !== noBody)
    .map(([name]) => name)

/** Sends each example in the order of its table, to the path that the ids complete. */
async function sendExamples(
  endpoints: Endpoints,
  examples: Readonly<Record<string, unknown>>,
  idFor: (endpoint: Endpoint) => string,
  send: (method: Endpoint['method'], path: string, body: object) => Promise<Reply<{ id?: string }>>,
) {
  for (const [name, body] of Object.entries(examples)) {
    const endpoint = endpoints[name]
    if (!endpoint) throw new Error(`there is an example of ${name}, which is no operation`)
    const path = endpoint.path.replace(/\{\w+\}/, () => idFor(endpoint))
    const reply = await send(endpoint.method, path, body as object)
    expect(reply.status, `${name}: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
  }
}

describe('the examples of the OpenAPI documents', () => {
  it('are there for every operation that takes a body', () => {
    expect(Object.keys(apiExamples).sort()).toEqual(takingBodies(contract).sort())
    expect(Object.keys(controlExamples).sort()).toEqual(takingBodies(control).sort())
  })

  it('succeed when they are sent to the API of a new simulator', async () => {
    const names = await NameServer.start()
    names.names.set('example.com', ['93.184.215.14'])
    const sim = await simulate({ nameServers: [names.address] })
    const made: Record<string, string> = { campaigns: sim.campaignId }
    await sendExamples(
      contract,
      apiExamples,
      ({ id }) => made[id.split('.')[0] ?? ''] ?? '',
      async (method, path, body) => {
        // The call that a new lead gets at once must be over before another is started.
        if (path === '/calls') await sim.advance('1h')
        const reply = await sim.live.send<{ id?: string }>(method, path, { body })
        if (reply.status === 201) made[path.slice(1)] ??= reply.data.id ?? ''
        return reply
      },
    )
    await names.close()
  })

  it('succeed when they are sent to the control plane of a new simulator', async () => {
    const names = await NameServer.start()
    names.names.set('example.com', ['93.184.215.14'])
    const sim = await simulateAlone({ nameServers: [names.address] })
    const made: Record<string, string> = {
      '/_sim/organizations': sim.organization.id,
      '/_sim/keys': sim.test.key.key_id,
      '/_sim/campaigns': sim.campaignId,
    }
    await sendExamples(
      control,
      controlExamples,
      ({ path }) => made[path.slice(0, path.indexOf('/{'))] ?? '',
      async (method, path, body) => {
        if (path.startsWith('/_sim/calls/')) await sim.advance('1h')
        const reply = await sim.ask<{ id?: string; ids?: string[] }>(method, path, body)
        if (path === '/_sim/leads') made[path] = reply.data.ids?.[0] ?? ''
        if (path === '/_sim/webhook_endpoints') made[path] = reply.data.id ?? ''
        if (path === '/_sim/inbound_calls') made['/_sim/calls'] = reply.data.id ?? ''
        return reply
      },
    )
    await names.close()
  })
})
