/** Filters of the control plane that match globs: how long they may be, and what a hard one costs. */
import { request } from 'undici'
import { expect, it } from 'vitest'
import { compileGlob } from '../../../simulator/http/control/faults/glob.js'
import { simulate } from '../../support/simulate.js'

it('the control plane refuses a glob of more than 200 characters', async () => {
  const { simulator } = await simulate()
  const status = async (path: string) => {
    const { statusCode, body } = await request(simulator.url + path)
    body.on('error', () => undefined).destroy()
    return statusCode
  }
  expect(await status(`/_sim/requests?path=${'a'.repeat(200)}`)).toBe(200)
  expect(await status(`/_sim/requests?path=${'a'.repeat(201)}`)).toBe(400)
  expect(await status(`/_sim/stream?types=lead.*,${'a'.repeat(200)}`)).toBe(200)
  expect(await status(`/_sim/stream?types=lead.*,${'a'.repeat(201)}`)).toBe(400)
  expect(await status(`/_sim/stream?types=${Array(50).fill('a').join()}`)).toBe(200)
  expect(await status(`/_sim/stream?types=${Array(51).fill('a').join()}`)).toBe(400)
})

it('the control plane refuses long globs in faults and conditions of the clock too', async () => {
  const sim = await simulate()
  const status = async (path: string, body: object) => (await sim.ask('POST', path, body)).status
  expect(await status('/_sim/faults', { status: 503, path: 'a'.repeat(200) })).toBe(201)
  expect(await status('/_sim/faults', { status: 503, path: 'a'.repeat(201) })).toBe(400)
  const until = (event: string) => status('/_sim/clock/advance', { until: { event }, within: 0 })
  expect(await until('*'.repeat(200))).toBe(200)
  expect(await until('*'.repeat(201))).toBe(400)
})

it('logs the first 2 KB of a path', async () => {
  const { simulator } = await simulate()
  const url = `${simulator.baseUrl}/${'a'.repeat(5_000)}`
  const { body } = await request(url)
  await body.dump()
  const answer = await request(`${simulator.url}/_sim/requests?limit=1`)
  const { data } = (await answer.body.json()) as { data: { path: string }[] }
  expect(data[0]?.path.length).toBeLessThanOrEqual(2_051)
  expect(data[0]?.path).toMatch(/^\/a{2000,}\.\.\.$/)
})

it('a glob of many stars matches what it did, across the words of its positions', () => {
  for (const stars of [1, 31, 32, 33, 63, 64, 100]) {
    const fits = compileGlob('*a'.repeat(stars))
    expect([stars, fits('a'.repeat(stars)), fits('b' + 'ba'.repeat(stars)), fits('a'.repeat(stars - 1))]).toEqual([
      stars,
      true,
      true,
      false,
    ])
    expect([fits('a'.repeat(stars) + '/a'), fits('a'.repeat(3_000) + 'b')]).toEqual([false, false])
    expect(compileGlob('**a'.repeat(stars))('/a'.repeat(stars))).toBe(true)
  }
  expect([compileGlob('a/**/*')('a//'), compileGlob('?')('/'), compileGlob('é?')('é😀'), compileGlob('')('')]).toEqual([
    true,
    false,
    true,
    true,
  ])
})
