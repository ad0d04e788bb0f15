/** Many simulators in one process: each has a separate world. */
import { expect, it } from 'vitest'
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { receiverWith } from '../support/dispatch.js'
import { simulate } from '../support/simulate.js'

/** Some hours of a world: what happened in it, with every id. */
async function story(seed: number): Promise<unknown[]> {
  const receiver = await receiverWith()
  const sim = await simulate({ seed, allowLocalWebhooks: true })
  await sim.live.post<WebhookEndpoint>('/webhook_endpoints', { url: receiver.url, events: ['call.completed'] })
  for (let n = 0; n < 4; n++) {
    await sim.lead({ name: `Lead ${n}` })
    await sim.lead({}, sim.test)
    await sim.advance('7m')
  }
  await sim.advance('6h')
  const sent = receiver.requests.map(({ rawBody }) => rawBody.toString())
  return [sim.organization, await sim.events(), await sim.events(sim.test), await sim.live.all('/leads'), sent]
}

it('tell the same story together as alone, each by its seed', async () => {
  const alone = [await story(1), await story(2)]
  expect(alone[0]).not.toEqual(alone[1])
  const together = await Promise.all(Array.from({ length: 8 }, (_, n) => story(1 + (n % 2))))
  for (const [n, one] of together.entries()) expect(one).toEqual(alone[n % 2])
})

it('have a clock, faults, limits and a log each, and go on when others close', async () => {
  const first = await simulate({ limits: true })
  const second = await simulate({ limits: true })
  const third = await simulate({ allowLocalWebhooks: true })
  await first.advance('3h')
  expect([first.now, second.now]).toEqual(['2026-10-01T18:00:00.000Z', '2026-10-01T15:00:00.000Z'])

  await first.control('POST', '/_sim/faults', { status: 429, count: 1 })
  expect((await second.live.get('/leads')).status).toBe(200)
  expect((await first.live.get('/leads')).status).toBe(429)

  for (let n = 0; n < 20; n++) await first.live.get('/leads')
  expect((await first.live.get('/leads')).status).toBe(429)
  expect((await second.live.get('/leads')).status).toBe(200)
  expect(await second.control<object[]>('GET', '/_sim/requests')).toHaveLength(2)

  const local = { url: 'http://127.0.0.1:9/', events: ['lead.late'] }
  expect((await third.live.post('/webhook_endpoints', local)).status).toBe(201)
  expect((await second.live.post('/webhook_endpoints', local)).error.param).toBe('url')

  await first.simulator.close()
  await second.lead()
  expect(await second.events()).not.toEqual([])
  expect(await third.events()).toEqual([])
})
