/** `place_in_line` and the estimated wait of a lead, compared with what then happens. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../../src/contract/calls.js'
import { simulate, type Client, type Simulation } from '../../support/simulate.js'

/** A lead whose calls hold a line for so long. */
async function lead(sim: Simulation, words: object = {}, { seconds = 60, client = sim.live } = {}) {
  const phone = sim.phone()
  const calls = [{ answer: 'person', ring_seconds: 5, talk_seconds: seconds - 5, outcome: 'not_interested' }]
  await sim.control('POST', '/_sim/scripts', { phone, mode: client.key.mode, calls })
  return sim.lead({ phone, ...words }, client)
}

async function standing(sim: Simulation, id: string, client?: Client) {
  const { status, place_in_line, estimated_wait_seconds } = await sim.readLead(id, client)
  return { status, place_in_line, estimated_wait_seconds }
}

it('places in line are the order in which leads are dialed, and when', async () => {
  const way = fc.constantFrom('plain', 'call_now', 'POST /calls')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(way, { minLength: 2, maxLength: 7 }),
      async (lines, ways) => {
        const sim = await simulate()
        await sim.changeCampaign({ lines })
        for (let line = 0; line < lines; line++) await lead(sim)
        await sim.advance('1m')
        for (let line = 0; line < lines; line++) await lead(sim)
        const ids: string[] = []
        for (const way of ways) {
          const { id, ...accepted } = await lead(sim, { call_now: way === 'call_now' })
          expect(await standing(sim, id)).toMatchObject({
            status: 'queued',
            place_in_line: accepted.place_in_line,
            estimated_wait_seconds: accepted.estimated_wait_seconds,
          })
          if (way === 'POST /calls') {
            const { data } = await sim.live.post<object>('/calls', { lead_id: id })
            expect(data).toMatchObject(await standing(sim, id))
          }
          ids.push(id)
        }
        const told = await Promise.all(ids.map(async (id) => ({ id, ...(await standing(sim, id)) })))
        const asked = Date.parse(sim.now)
        await sim.advance('30m')
        const calls = new Map((await sim.live.all<Call>('/calls')).map((call) => [call.lead?.id, call]))
        const places = told.map(({ place_in_line }) => place_in_line ?? 0)
        expect([...places].sort((a, b) => a - b)).toEqual(ids.map((_, before) => before + 1))
        for (const { id, place_in_line: place, estimated_wait_seconds: wait } of told) {
          const waited = (Date.parse(calls.get(id)?.started ?? '') - asked) / 1000
          expect(waited).toBe(Math.ceil((place ?? 0) / lines) * 60)
          expect(wait).toBe(Math.round(((place ?? 0) / lines) * 60))
        }
      },
    ),
    { numRuns: 8 },
  )
})

it('places in line are 0 while the lead is being dialed, and none when it talks, waits for something else, or is finished', async () => {
  const sim = await simulate()
  const none = { place_in_line: null, estimated_wait_seconds: null }
  const { id, ...accepted } = await lead(sim)
  expect(accepted).toMatchObject({ status: 'dialing', place_in_line: 0, estimated_wait_seconds: 0 })
  expect(await standing(sim, id)).toEqual({ status: 'dialing', place_in_line: 0, estimated_wait_seconds: 0 })
  await sim.advance('5s')
  expect(await standing(sim, id)).toEqual({ status: 'on_call', ...none })
  await sim.advance('55s')
  expect(await standing(sim, id)).toEqual({ status: 'done', ...none })
  await sim.live.post(`/campaigns/${sim.campaignId}/pause`)
  expect(await lead(sim)).toMatchObject({ status: 'held', ...none })
})

it('move up when somebody ahead is dialed, taken out or held back, and down when somebody passes', async () => {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 0 })
  const ids: string[] = []
  for (let n = 0; n < 4; n++) ids.push((await lead(sim)).id)
  const last = ids[3] ?? ''
  const place = async () => (await standing(sim, last)).place_in_line
  expect(await place()).toBe(4)
  await sim.live.post(`/leads/${ids[1]}/opt_out`)
  expect(await place()).toBe(3)
  await sim.control('PATCH', `/_sim/leads/${ids[2]}`, { next_dial_at: '2026-10-01T18:00:00Z' })
  expect(await place()).toBe(2)
  await lead(sim, { call_now: true })
  expect(await place()).toBe(3)
  await sim.changeCampaign({ lines: 1 })
  expect(await place()).toBe(2)
})

it('places in line are by arrival among those to be called now, whenever their hours opened, and by when they became due among the others', async () => {
  const sim = await simulate({ now: '2026-10-01T10:00:00Z' })
  await sim.changeCampaign({ lines: 0 })
  const ids: string[] = []
  for (const call_now of [false, true]) {
    for (const areaCode of ['213', '646']) {
      ids.push((await sim.lead({ phone: `+1${areaCode}201100${ids.length}`, call_now })).id)
    }
    await sim.advance('1s')
  }
  await sim.advance('2026-10-01T15:00:00Z')
  const places = await Promise.all(ids.map(async (id) => (await standing(sim, id)).place_in_line))
  // Los Angeles opens three hours after New York.
  expect(places).toEqual([4, 3, 1, 2])
})

it('places in line are by arrival also for one to be called now that waited out a cooldown', async () => {
  const sim = await simulate()
  const { id: other } = await sim.campaign()
  await sim.changeCampaign({ lines: 0 })
  const phone = sim.phone()
  await sim.script(phone, { answer: 'person', outcome: 'not_interested', talk_seconds: 5 })
  await sim.lead({ phone, campaign_id: other })
  const older = await sim.lead({ phone, call_now: true })
  await sim.advance('23h')
  const younger = await lead(sim, { call_now: true })
  await sim.advance('1h')
  expect(await standing(sim, older.id)).toMatchObject({ status: 'queued', place_in_line: 1 })
  expect(await standing(sim, younger.id)).toMatchObject({ status: 'queued', place_in_line: 2 })
})

it('places in line count by the mean of the campaign’s own calls, live and test apart, and 120 seconds before there is one', async () => {
  const sim = await simulate()
  const { id: campaign_id } = await sim.campaign({ lines: 1 })
  const wait = async (client = sim.live, words: object = {}) => (await sim.lead(words, client)).estimated_wait_seconds
  await sim.changeCampaign({ lines: 1 })
  await lead(sim, {}, { seconds: 100 })
  expect(await wait()).toBe(120)
  await lead(sim, {}, { seconds: 20, client: sim.test })
  expect(await wait(sim.test)).toBe(120)
  await sim.changeCampaign({ status: 'paused' })
  await sim.advance('2m')
  await sim.changeCampaign({ status: 'running', lines: 0 })
  expect(await wait()).toBe(200)
  expect(await wait(sim.test)).toBe(40)
  await lead(sim, { campaign_id })
  expect(await wait(sim.live, { campaign_id })).toBe(120)
})

const places = async (sim: Simulation, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await sim.readLead(id)).place_in_line))

describe('a lead that gives up its priority', () => {
  /** Seven in the morning in New York: Chicago, where the call_now lead is, opens an hour after it. */
  async function sentBeforeTheHours() {
    const sim = await simulate({ now: '2026-10-01T11:00:00Z' })
    await sim.changeCampaign({ lines: 0, duplicate_window_days: 0 })
    const urgent = await sim.lead({ phone: '+13122011000', call_now: true })
    const ordinary = await sim.lead({ phone: '+16462011000' })
    await sim.advance('3h')
    expect(await places(sim, urgent.id, ordinary.id)).toEqual([1, 2])
    return { sim, urgent: urgent.id, ordinary: ordinary.id }
  }

  it('stands among the ordinary leads by when it became due', async () => {
    const { sim, urgent, ordinary } = await sentBeforeTheHours()
    await sim.live.patch(`/leads/${urgent}`, { call_now: false })
    expect(await places(sim, urgent, ordinary)).toEqual([2, 1])
  })

  it('does so too when it is sent again as an ordinary one', async () => {
    const { sim, urgent, ordinary } = await sentBeforeTheHours()
    await sim.lead({ phone: '+13122011000', call_now: false })
    expect(await places(sim, urgent, ordinary)).toEqual([2, 1])
  })

  it('is behind those who were there, and before those who came since', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 0 })
    const before = await sim.lead()
    await sim.advance('1s')
    const { id } = await sim.lead({ call_now: true })
    await sim.advance('1s')
    const after = await sim.lead()
    expect(await places(sim, id, before.id, after.id)).toEqual([1, 2, 3])
    await sim.live.patch(`/leads/${id}`, { call_now: false })
    expect(await places(sim, before.id, id, after.id)).toEqual([1, 2, 3])
  })
})
