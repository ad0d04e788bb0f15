import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Follower } from '../support/programs/follower.js'
import { simulate } from '../support/simulate.js'
import { Receiver } from '../support/deliveries/receiver.js'

describe('the stream', () => {
  it('tells every event, transition and try of a delivery, in order, each as one message', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.test.post('/webhook_endpoints', { url: receiver.url, events: ['call.completed'] })
    const follower = await Follower.open(sim)
    expect(follower.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    })
    const { id } = await sim.lead({ phone: '+15550100002' }, sim.test)
    await sim.advance('2m')
    expect(await follower.names(14)).toEqual([
      ...['transition.lead', 'lead.created', 'lead.queued'],
      ...['transition.call', 'transition.lead', 'call.started'],
      ...['transition.call', 'transition.lead', 'call.answered', 'voicemail.left'],
      ...['transition.call', 'transition.lead', 'call.completed', 'delivery.attempt'],
    ])
    const { messages } = follower
    expect(messages.map((message) => message.id)).toEqual(messages.map((_, i) => i + 1))
    const whose = { organization_id: sim.organization.id, mode: 'test' }
    expect(messages[0]?.data).toEqual({ ...whose, id, from: 'new', to: 'queued', at: '2026-10-01T15:00:00.000Z' })
    expect(messages[13]?.data).toMatchObject({
      ...whose,
      delivery: { event_type: 'call.completed', status: 'sent', attempts: 1 },
    })
    const events = await sim.events(sim.test)
    expect(messages.filter(({ data }) => 'api_version' in data).map(({ data }) => data)).toEqual(events)
    await receiver.close()
  })

  it('tells what became of the delivery whose failure paused its endpoint', async () => {
    const receiver = await Receiver.start(() => ({ status: 500 }))
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.changeCampaign({ lines: 0 })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await sim.lead()
    await sim.advance('24h')
    const follower = await Follower.open(sim, '?types=delivery')
    await sim.lead()
    await sim.advance('0s')
    await follower.names(1)
    expect(follower.messages[0]?.data).toMatchObject({ delivery: { status: 'skipped_paused', attempts: 1 } })
    await receiver.close()
  })

  it.each([
    ['lead.*', ['lead.created', 'lead.queued']],
    ['call.started,transition.call', ['transition.call', 'call.started']],
    ['transition', ['transition.lead', 'transition.call', 'transition.lead']],
    ['event', ['lead.created', 'lead.queued', 'call.started']],
  ])('lets through what %s names', async (types, names) => {
    const sim = await simulate()
    const follower = await Follower.open(sim, `?types=${types}`)
    await sim.lead()
    expect(await follower.names(names.length)).toEqual(names)
  })

  it('lets through one mode, or one organization', async () => {
    const sim = await simulate()
    const [test, other] = [
      await Follower.open(sim, '?types=lead.created&mode=test'),
      await Follower.open(sim, '?organization_id=other'),
    ]
    await sim.lead()
    await sim.lead({}, sim.test)
    expect(await test.names(1)).toEqual(['lead.created'])
    expect(test.messages[0]?.data).toMatchObject({ livemode: false })
    expect(other.messages).toEqual([])
  })

  it('shows every event of a push that is longer than events are kept', async () => {
    const sim = await simulate()
    const follower = await Follower.open(sim, '?types=event')
    await sim.lead({ phone: '+15550100002' }, sim.test)
    await sim.advance('40d')
    const names = ['lead.created', 'lead.queued', 'call.started', 'call.answered', 'voicemail.left', 'call.completed']
    expect(await follower.names(6)).toEqual(names)
    expect(await sim.events(sim.test)).toEqual([])
  })

  it('tells nothing of what was not kept', async () => {
    const sim = await simulate()
    const follower = await Follower.open(sim, '?types=event')
    await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), dry_run: true })
    await sim.ask('POST', '/_sim/leads', {
      campaign_id: sim.campaignId,
      leads: [{ phone: sim.phone() }, { phone: 'x' }],
    })
    const { id } = await sim.lead()
    await follower.names(1)
    expect(follower.messages[0]?.data).toMatchObject({ data: { object: { id } } })
  })

  it('goes on through a reset', async () => {
    const sim = await simulate()
    const follower = await Follower.open(sim, '?types=lead.created')
    await sim.lead()
    await sim.control('POST', '/_sim/reset', {})
    await sim.lead()
    expect(await follower.names(2)).toEqual(['lead.created', 'lead.created'])
  })

  it('tells those who ask for it that the world was replaced, and which events that one had before', async () => {
    const sim = await simulate()
    await sim.lead()
    await sim.control('POST', '/_sim/snapshots', { name: 'one' })
    const before = (await sim.events()).map(({ id }) => id)
    const asked = await Follower.open(sim, '?types=lead.created,world&mode=test')
    const unasked = await Follower.open(sim)
    await sim.lead()
    await sim.control('POST', '/_sim/snapshots/one/restore')
    await sim.control('POST', '/_sim/reset', { now: '2026-10-05T15:00:00Z' })
    await sim.lead()
    expect(await asked.names(2)).toEqual(['world.replaced', 'world.replaced'])
    expect(asked.messages.map(({ data }) => data)).toEqual([
      { at: '2026-10-01T15:00:00.000Z', newest_events: before },
      { at: '2026-10-05T15:00:00.000Z', newest_events: [] },
    ])
    const heard = await unasked.names(10)
    expect(heard.filter((name) => name === 'lead.created')).toHaveLength(2)
    expect(heard).not.toContain('world.replaced')
  })

  it('ends when the simulator closes', async () => {
    const sim = await simulate()
    const follower = await Follower.open(sim)
    const ended = once(follower.response, 'end')
    await sim.simulator.close()
    await ended
  })
})
