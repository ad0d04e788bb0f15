import { describe, expect, it } from 'vitest'
import type { Agenda } from '../../src/contract/control/agenda.js'
import { simulate, type Simulation } from '../support/simulate.js'

const agendaOf = (sim: Simulation, query = '') => sim.control<Agenda>('GET', `/_sim/agenda${query}`)

/** Why a lead waits, as it is told. */
async function why(sim: Simulation, id: string) {
  const found = (await agendaOf(sim)).waiting.find((lead) => lead.id === id)
  return found && { status: found.status, until: found.until, why: found.why }
}

describe('the agenda', () => {
  it('tells what is going to happen, by time', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, {
      answer: 'person',
      ring_seconds: 5,
      talk_seconds: 60,
      outcome: 'callback',
      callback_at: '2026-10-02T15:00:00Z',
    })
    const { id } = await sim.lead({ phone, name: 'Ann' })
    await sim.live.post('/webhook_endpoints', { url: 'https://example.com/hooks', events: ['lead.created'] })
    const [call] = (await sim.readLead(id)).calls
    const first = (await agendaOf(sim)).appointments[0]
    expect(first).toEqual({
      at: '2026-10-01T15:00:05.000Z',
      kind: 'call.beat',
      subject: call?.id,
      what: 'The call to Ann: it is answered.',
    })
    await sim.advance('5s')
    expect((await agendaOf(sim)).appointments[0]?.what).toBe(
      'The call to Ann: a callback is booked for 2026-10-02T15:00:00.000Z.',
    )
    await sim.advance('48s')
    expect((await agendaOf(sim)).appointments[0]?.what).toBe('The call to Ann: it ends: callback.')
    await sim.advance('1m')
    const { appointments } = await agendaOf(sim)
    expect(appointments).toContainEqual({
      at: '2026-10-02T15:00:00.000Z',
      kind: 'lead.due',
      subject: id,
      what: 'Ann is called back, as booked.',
    })
    expect(appointments).toContainEqual({
      at: '2026-10-02T01:00:00.000Z',
      kind: 'hours',
      subject: sim.campaignId,
      what: 'The calling hours of Web leads close in America/New_York.',
    })
    expect(appointments.map(({ at }) => at)).toEqual(appointments.map(({ at }) => at).sort())
  })

  it('tells of tries to bring a webhook', async () => {
    const sim = await simulate({ allowLocalWebhooks: true })
    const { data } = await sim.live.post<{ url: string }>('/webhook_endpoints', {
      url: 'http://127.0.0.1:9/hooks',
      events: ['lead.created'],
    })
    await sim.lead()
    await sim.advance('1s')
    const { appointments } = await agendaOf(sim)
    expect(appointments.find(({ kind }) => kind === 'delivery.attempt')?.what).toBe(
      `Try 2 to bring lead.created to ${data.url}.`,
    )
  })

  it('tells why each lead waits', async () => {
    const sim = await simulate()
    const lead = async (words: object = {}) => (await sim.lead(words)).id
    const paused = await sim.campaign({ status: 'paused' })
    const held = await lead({ campaign_id: paused.id })
    expect(await why(sim, held)).toEqual({ status: 'held', until: null, why: 'The campaign is paused.' })
    const asleep = await lead({ phone: '+18085557812' })
    expect(await why(sim, asleep)).toMatchObject({
      status: 'scheduled',
      why: 'It is outside the calling hours in Pacific/Honolulu.',
    })
    const phone = sim.phone()
    await sim.script(phone, { answer: 'no_answer', ring_seconds: 20 })
    const tried = await lead({ phone })
    await sim.advance('20s')
    expect(await why(sim, tried)).toEqual({
      status: 'scheduled',
      until: '2026-10-01T17:00:20.000Z',
      why: 'Call 1 ended with no_answer; it is to be tried again.',
    })
    const cooling = await lead({ phone, campaign_id: (await sim.campaign()).id })
    expect((await why(sim, cooling))?.why).toBe(
      'Another campaign, or a call that came in, reached the number in the last 24 hours.',
    )
    await sim.control('PATCH', `/_sim/leads/${tried}`, { next_dial_at: '2026-10-02T15:00:00Z' })
    expect((await why(sim, tried))?.why).toBe('The time of the next call was set.')
    await sim.changeCampaign({ lines: 1 })
    await lead()
    const second = await lead()
    expect(await why(sim, second)).toMatchObject({
      status: 'queued',
      until: null,
      why: 'It is number 1 in line, and all 1 lines are busy.',
    })
    await sim.changeCampaign({ lines: 0 })
    expect((await why(sim, second))?.why).toBe('The campaign has no phone line.')
  })

  it('tells at most as much as is asked for', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1 })
    for (let i = 0; i < 6; i++) await sim.lead()
    const { appointments, waiting } = await agendaOf(sim, '?limit=2')
    expect([appointments.length, waiting.length]).toEqual([2, 2])
    expect((await sim.ask('GET', '/_sim/agenda?limit=0')).error.param).toBe('limit')
  })
})
