/** The two reserved numbers of test mode: what happens, and exactly when. */
import { expect, it } from 'vitest'
import type { Event } from '../../../src/contract/events.js'
import { simulate } from '../../support/simulate.js'

const times = (events: Event[]) => events.map(({ type, created }) => [type, created.slice(11, 19)])

// rule T1
it('+15550100001 is an interested lead in about four minutes', async () => {
  const sim = await simulate()
  const { id } = await sim.lead({ phone: '+15550100001' }, sim.test)
  await sim.advance('4m')
  const events = await sim.events(sim.test)
  expect(times(events)).toEqual([
    ['lead.created', '15:00:00'],
    ['lead.queued', '15:00:00'],
    ['call.started', '15:00:00'],
    ['call.answered', '15:00:06'],
    ['lead.interested', '15:01:41'],
    ['handover.accepted', '15:02:04'],
    ['call.completed', '15:03:55'],
  ])
  expect(await sim.readLead(id, sim.test)).toMatchObject({
    status: 'done',
    last_outcome: 'interested',
    attempts: 1,
    livemode: false,
  })
  const [interested, handover, completed] = events.slice(4)
  expect(interested?.data).toMatchObject({ object: { object: 'call' }, interest: { at: '2026-10-01T15:01:41.000Z' } })
  expect(handover?.data).toMatchObject({
    handover: { accepted_at: '2026-10-01T15:02:04.000Z', by: { role: 'sdr' }, tth_seconds: 23 },
  })
  expect(completed?.data).toMatchObject({
    revision: 1,
    object: { outcome: 'interested', duration_seconds: 229, tth_seconds: 23, handled_by: { role: 'sdr' } },
  })
})

it('+15550100002 is a voicemail in about a minute, and no retry follows', async () => {
  const sim = await simulate()
  const { id } = await sim.lead({ phone: '+15550100002' }, sim.test)
  await sim.advance('1m')
  const events = await sim.events(sim.test)
  expect(times(events)).toEqual([
    ['lead.created', '15:00:00'],
    ['lead.queued', '15:00:00'],
    ['call.started', '15:00:00'],
    ['call.answered', '15:00:22'],
    ['voicemail.left', '15:00:54'],
    ['call.completed', '15:00:55'],
  ])
  expect(events[4]?.data).toMatchObject({ voicemail: { left_at: '2026-10-01T15:00:54.000Z' } })
  expect(await sim.readLead(id, sim.test)).toMatchObject({ status: 'done', last_outcome: 'voicemail' })
  await sim.advance('3d')
  expect((await sim.readLead(id, sim.test)).attempts).toBe(1)
})

it('is the same whatever the seed', async () => {
  const logs = []
  for (const seed of [1, 99]) {
    const sim = await simulate({ seed })
    for (const phone of ['+15550100001', '+15550100002']) await sim.lead({ phone }, sim.test)
    await sim.advance('5m')
    logs.push(times(await sim.events(sim.test)))
  }
  expect(logs[0]).toEqual(logs[1])
})

it('is held back by neither hours nor cooldown, but by lines and holds', async () => {
  const sim = await simulate({ now: '2026-10-01T07:00:00Z' })
  const { id: other } = await sim.campaign()
  const { id: paused } = await sim.campaign({ status: 'paused' })
  await sim.changeCampaign({ lines: 1 })
  const phone = '+15550100001'
  expect((await sim.lead({ phone }, sim.test)).status).toBe('dialing')
  expect((await sim.lead({ phone, campaign_id: other }, sim.test)).status).toBe('dialing')
  expect((await sim.lead({ phone: '+15550100002' }, sim.test)).status).toBe('queued')
  expect((await sim.lead({ phone, campaign_id: paused }, sim.test)).status).toBe('held')
})

it('is one log whether time is pushed once or in sixty steps', async () => {
  const logs = []
  for (const steps of [1, 60]) {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 2 })
    for (let n = 0; n < 8; n++) await sim.lead({ call_now: n % 2 === 0 })
    await sim.lead({ phone: '+15550100001' }, sim.test)
    for (let step = 0; step < steps; step++) await sim.advance(`${3600 / steps}s`)
    logs.push([await sim.events(), await sim.events(sim.test)])
  }
  expect(logs[0]).toEqual(logs[1])
})
