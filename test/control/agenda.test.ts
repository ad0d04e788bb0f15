import { describe, expect, it } from 'vitest'
import type { Agenda } from '../../src/contract/control/agenda.js'
import { simulate, type Simulation } from '../support/simulate.js'

const agendaOf = (sim: Simulation, query = '') => sim.control<Agenda>('GET', `/_sim/agenda${query}`)

/** The reported reason why a lead waits. */
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

  it('describes webhook attempts', async () => {
    const sim = await simulate({ allowLocalWebhooks: true })
    const { data } = await sim.live.post<{ url: string }>('/webhook_endpoints', {
      url: 'http://127.0.0.1:9/hooks',
      events: ['lead.created'],
    })
    await sim.lead()
    await sim.advance('1s')
    const { appointments } = await agendaOf(sim)
    expect(appointments.find(({ kind }) => kind === 'delivery.attempt')?.what).toBe(
      `Attempt 2 to deliver lead.created to ${data.url}.`,
    )
  })

  it('tells why each lead waits', async () => {
    const sim = await simulate()
    const lead = async (words: object = {}) => (await sim.lead(words)).id
    const paused = await sim.campaign({ status: 'paused' })
    const held = await lead({ campaign_id: paused.id })
    expect(await why(sim, held)).toEqual({ status: 'held', until: null, why: 'campaign running: no, paused' })
    const asleep = await lead({ phone: '+18085557812' })
    expect(await why(sim, asleep)).toMatchObject({
      status: 'scheduled',
      why: 'calling hours 08:00-21:00: closed there since 21:00, open at 08:00',
    })
    const phone = sim.phone()
    await sim.script(phone, { answer: 'no_answer', ring_seconds: 20 })
    const tried = await lead({ phone })
    await sim.advance('20s')
    expect(await why(sim, tried)).toEqual({
      status: 'scheduled',
      until: '2026-10-01T17:00:20.000Z',
      why: 'attempts: 1 of 6; next try 2026-10-01 13:00 EDT',
    })
    const cooling = await lead({ phone, campaign_id: (await sim.campaign()).id })
    expect((await why(sim, cooling))?.why).toBe(
      '24-hour cooldown: another call reached the number 2026-10-01 11:00 EDT; over 2026-10-02 11:00 EDT',
    )
    await sim.control('PATCH', `/_sim/leads/${tried}`, { next_dial_at: '2026-10-02T15:00:00Z' })
    expect((await why(sim, tried))?.why).toBe('next dial time: set to 2026-10-02 11:00 EDT')
    await sim.changeCampaign({ lines: 1 })
    await lead()
    const second = await lead()
    expect(await why(sim, second)).toMatchObject({
      status: 'queued',
      until: null,
      why: 'lines: 1 of 1 busy; 0 leads before it',
    })
    await sim.changeCampaign({ lines: 0 })
    expect((await why(sim, second))?.why).toBe('lines: the campaign has no line')
  })

  it('tells of holds, each in its words, and of what they will do to a lead that has a time of its own', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', callback_at: '2026-10-02T15:00:00Z', talk_seconds: 61 })
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { rate_usd_per_minute: 1 })
    const booked = (await sim.lead({ phone, name: 'Ann' })).id
    await sim.advance('5m')
    expect((await why(sim, booked))?.why).toBe('callback: booked for 2026-10-02 11:00 EDT')
    await sim.changeCampaign({ spend_cap_usd: 1.5 })
    const held = (await sim.lead()).id
    const spent = 'campaign running: no, it has spent $2.00 and may spend $1.50'
    expect((await why(sim, held))?.why).toBe(spent)
    expect(await why(sim, booked)).toEqual({
      status: 'callback_scheduled',
      until: '2026-10-02T15:00:00.000Z',
      why: `callback: booked for 2026-10-02 11:00 EDT; ${spent}`,
    })
    const due = async () => (await agendaOf(sim)).appointments.find(({ subject }) => subject === booked)?.what
    expect(await due()).toBe('Ann is called back, as booked, if the campaign may spend more by then.')
    await sim.changeCampaign({ status: 'not_started' })
    expect((await why(sim, held))?.why).toBe('campaign running: no, not started')
    await sim.changeCampaign({ status: 'paused' })
    expect((await why(sim, held))?.why).toBe('campaign running: no, paused')
    expect(await due()).toBe('Ann is called back, as booked, if the campaign is not paused any more.')
  })

  it('tells of those in line: all lines busy, one late, a test key with all its sample calls', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 2, late_after_minutes: 5 })
    for (let i = 0; i < 2; i++) {
      const phone = sim.phone()
      await sim.script(phone, { answer: 'person', talk_seconds: 3_600 })
      await sim.lead({ phone })
    }
    const ordinary = (await sim.lead()).id
    const first = (await sim.lead({ call_now: true })).id
    expect((await why(sim, first))?.why).toBe('lines: 2 of 2 busy; 0 leads before it')
    expect((await why(sim, ordinary))?.why).toBe('lines: 2 of 2 busy; 1 lead before it')
    const { appointments } = await agendaOf(sim)
    expect(appointments.find(({ kind }) => kind === 'lead.late')?.subject).toBe(first)
    await sim.advance('5m')
    expect((await why(sim, first))?.why).toBe(
      'lines: 2 of 2 busy; 0 leads before it; late: yes, the limit is 5 min; it is still called',
    )
    await sim.changeCampaign({ lines: 50 })
    const samples = await sim.campaign({ lines: 50, status: 'paused' })
    for (let i = 0; i < 21; i++) await sim.lead({ campaign_id: samples.id }, sim.test)
    await sim.changeCampaign({ status: 'running' }, samples.id)
    expect((await agendaOf(sim)).waiting).toMatchObject([
      { why: 'lines: 20 of 50 busy; its test key has all 20 sample calls; 0 leads before it' },
    ])
    await sim.changeCampaign({ calling_hours: { thu: [['09:00', '11:30']] }, lines: 0 }, samples.id)
    expect((await agendaOf(sim)).appointments.filter(({ kind }) => kind === 'hours')).toMatchObject([
      { what: 'The calling hours of Another close in America/New_York: 1 lead is still in line.' },
      {},
    ])
  })

  it('tells of nobody whom a hold has taken out of the line, or met when the hours opened', async () => {
    const sim = await simulate()
    const { id: campaign_id } = await sim.campaign({ name: 'Full', lines: 0 })
    for (const area of ['646', '808']) await sim.lead({ campaign_id, phone: `+1${area}5557812` })
    await sim.lead({ campaign_id, phone: '+16465557813' })
    const hours = async () =>
      (await agendaOf(sim)).appointments
        .filter(({ kind, subject }) => kind === 'hours' && subject === campaign_id)
        .map(({ what }) => what)
    const close = 'The calling hours of Full close in America/New_York'
    const open = 'The calling hours of Full open in Pacific/Honolulu: 1 lead waits for that.'
    expect((await hours()).sort()).toEqual([`${close}: 2 leads are still in line.`, open])
    await sim.changeCampaign({ status: 'paused' }, campaign_id)
    expect((await hours()).sort()).toEqual([`${close}.`, open])
    await sim.advance('5h')
    expect(await hours()).toEqual([`${close}.`])
    await sim.advance('24h')
    expect(await hours()).toEqual([])
  })

  it('tells of hours that never open, and how many leads wait for those that do', async () => {
    const sim = await simulate()
    const sundays = await sim.campaign({ name: 'Sundays', calling_hours: { sun: [['12:00', '13:00']] } })
    for (let i = 0; i < 3; i++) await sim.lead({ campaign_id: sundays.id })
    await sim.lead({ campaign_id: sundays.id, phone: '+13105557812' })
    const { appointments, waiting } = await agendaOf(sim)
    expect(appointments.filter(({ subject }) => subject === sundays.id).map(({ what }) => what)).toEqual([
      'The calling hours of Sundays open in America/New_York: 3 leads wait for that.',
      'The calling hours of Sundays open in America/Los_Angeles: 1 lead waits for that.',
    ])
    expect(waiting.map(({ until }) => until)).toEqual([...waiting.map(({ until }) => until)].sort())
    const never = await sim.campaign({ calling_hours: {} })
    const { id } = await sim.lead({ campaign_id: never.id })
    expect(await why(sim, id)).toEqual({
      status: 'scheduled',
      until: null,
      why: 'calling hours: never open there',
    })
  })

  it('tells what the clock shows, and who is meant', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const { id } = await sim.lead({ name: 'Ann' })
    const { now, waiting } = await agendaOf(sim)
    expect(now).toBe(sim.now)
    expect(waiting).toMatchObject([{ id, name: 'Ann', campaign_id: sim.campaignId, since: sim.now }])
  })

  it('tells at most as much as is asked for, of those in line the first', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1 })
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push((await sim.lead({ call_now: i === 5 })).id)
    const { appointments, waiting } = await agendaOf(sim, '?limit=2')
    expect([appointments.length, waiting.map(({ id }) => id)]).toEqual([2, [ids[5], ids[1]]])
    expect((await sim.ask('GET', '/_sim/agenda?limit=0')).error.param).toBe('limit')
  })
})
