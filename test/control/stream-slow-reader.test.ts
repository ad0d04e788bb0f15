import { once } from 'node:events'
import { expect, it } from 'vitest'
import { Follower } from '../support/programs/follower.js'
import { simulate } from '../support/simulate.js'

it('the stream disconnects a reader who does not read, and the other readers miss nothing', async () => {
  const sim = await simulate()
  const reader = await Follower.open(sim, '?types=lead.created')
  const sleeper = await Follower.open(sim, '?types=lead.*')
  sleeper.response.pause()
  const fields = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`note ${i}`, 'x'.repeat(2_000)]))
  const closed = once(sleeper.response.socket, 'close')
  for (const half of [1, 2]) {
    const leads = Array.from({ length: 200 }, () => ({ phone: sim.phone(), fields }))
    await sim.control('POST', '/_sim/leads', { campaign_id: sim.campaignId, leads })
    await reader.until(() => reader.count === half * 200)
  }
  sleeper.response.resume()
  await closed
  expect(sleeper.count).toBeLessThan(800)
  await sim.lead()
  await reader.until(() => reader.count === 401)
})
