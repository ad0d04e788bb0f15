/** Requests that a web page may have sent: every part of a simulator on loopback refuses them, the OpenAPI documents apart. */
import { request } from 'undici'
import { expect, it } from 'vitest'
import { startSimulator } from '../../../simulator/index.js'
import { simulate } from '../../support/simulate.js'

const places = [
  '/api/v1/external/leads',
  '/api/v1/external/nothing',
  '/storage/a/test/recordings/b.wav',
  '/_sim/world',
  '/',
]

const asked = async (url: string, headers: Record<string, string>) => {
  const { statusCode, body } = await request(url, { headers })
  const text = await body.text()
  return { status: statusCode, code: /"code":"(\w+)"/.exec(text)?.[1], reason: /"reason":"(\w+)"/.exec(text)?.[1] }
}

const refused = { status: 403, code: 'permission_denied' }

it('the simulator refuses a Host that is not the simulator’s own: DNS rebinding', async () => {
  const { simulator, test } = await simulate()
  const { port } = new URL(simulator.url)
  const hosts = ['attacker.example', 'localhost.', '127.0.0.1.', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]', '10.0.0.1']
  const tricks = [
    'localhost.attacker.example',
    '127.0.0.1@attacker.example',
    'localhost/x',
    'localhost#x',
    'a localhost',
    '',
  ]
  for (const host of [...hosts, ...tricks]) {
    for (const place of places) {
      const forwarded = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' }
      const headers = { host: `${host}:${port}`, authorization: `Bearer ${test.key.secret}`, ...forwarded }
      expect([host, place, await asked(simulator.url + place, headers)]).toEqual([host, place, refused])
    }
    expect((await asked(`${simulator.url}/openapi.json`, { host: `${host}:${port}` })).status).toBe(200)
  }
  for (const host of ['localhost', 'LOCALHOST:1', `127.0.0.1:${port}`, '127.9.9.9', '[::1]:80'])
    expect(
      (await asked(`${simulator.baseUrl}/leads`, { host, authorization: `Bearer ${test.key.secret}` })).status,
    ).toBe(200)
})

it('the simulator refuses pages of other origins', async () => {
  const { simulator } = await simulate()
  const { port } = new URL(simulator.url)
  const origins = [
    'http://attacker.example',
    'null',
    '',
    'file://',
    `https://127.0.0.1:${port}`,
    'http://localhost:1',
    'x',
  ]
  for (const place of places) {
    for (const origin of origins)
      expect([origin, place, await asked(simulator.url + place, { origin })]).toEqual([origin, place, refused])
    for (const site of ['cross-site', 'same-site', 'x'])
      expect([site, place, await asked(simulator.url + place, { 'sec-fetch-site': site })]).toEqual([
        site,
        place,
        refused,
      ])
  }
  const page = { origin: 'http://attacker.example', 'sec-fetch-site': 'cross-site' }
  expect((await asked(`${simulator.url}/openapi.json`, page)).status).toBe(200)
  for (const own of [
    ['origin', simulator.url],
    ['sec-fetch-site', 'none'],
    ['sec-fetch-site', 'same-origin'],
  ] as const)
    expect((await asked(`${simulator.url}/_sim/clock`, { [own[0]]: own[1] })).status).toBe(200)
})

it('a signed link opens in a tab from any page, and is embedded in none of another origin', async () => {
  const { simulator } = await simulate()
  const url = `${simulator.url}/storage/a/test/recordings/b.wav`
  const visit = (headers: Record<string, string>) => asked(url, { 'sec-fetch-site': 'cross-site', ...headers })
  // The link of the test is not signed: what passes the check of the page meets that of the signature.
  const opened = { status: 403, code: 'permission_denied', reason: 'wrong_signature' }
  expect(await visit({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toEqual(opened)
  for (const dest of ['audio', 'image', 'iframe', 'frame', 'embed', 'object', 'script', 'empty', ''])
    for (const mode of ['navigate', 'no-cors', 'cors', 'websocket'])
      expect([dest, mode, await visit({ 'sec-fetch-mode': mode, 'sec-fetch-dest': dest })]).toEqual([
        dest,
        mode,
        refused,
      ])
  expect(await visit({ 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'document' })).toEqual(refused)
  const tab = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  for (const place of places.filter((one) => !one.startsWith('/storage/')))
    expect([place, await asked(simulator.url + place, tab)]).toEqual([place, refused])
})

it('the simulator answers further names once they are allowed', async () => {
  const { simulator } = await simulate({ allowHosts: ['simulator.test'] })
  const { port } = new URL(simulator.url)
  const host = `simulator.test:${port}`
  for (const place of ['/_sim/clock', '/openapi.json'])
    expect((await asked(simulator.url + place, { host, origin: `http://${host}` })).status).toBe(200)
  expect((await asked(`${simulator.baseUrl}/leads`, { host })).status).toBe(401)
  expect((await asked(`${simulator.url}/_sim/clock`, { host: `x.simulator.test:${port}` })).status).toBe(403)
  expect((await asked(`${simulator.url}/_sim/clock`, { host, origin: 'http://attacker.example' })).status).toBe(403)
  for (const wrong of ['', 'a b', 'http://a', 'a:80', 'a/b'])
    await expect(startSimulator({ allowHosts: [wrong] })).rejects.toThrow(RangeError)
})
