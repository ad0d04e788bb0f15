import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/contract/calls.js'
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Lead } from '../../src/contract/leads.js'
import { simulate, type Reply, type Simulation } from '../support/simulate.js'

const text = (
  sim: Simulation,
  from: string,
  body: string,
  words: object = {},
): Promise<Reply<{ opted_out: boolean }>> => sim.ask('POST', '/_sim/texts', { from, body, ...words })

const call = (sim: Simulation, from: string, words: object = {}): Promise<Reply<Call>> =>
  sim.ask('POST', '/_sim/inbound_calls', { from, campaign_id: sim.campaignId, ...words })

const isListed = async (sim: Simulation, phone: string) =>
  (await sim.live.get<{ onDncList: boolean }>(`/dnc/check?phone=${encodeURIComponent(phone)}`)).data.onDncList

const typesAbout = async (sim: Simulation, id: string) =>
  (await sim.events()).filter(({ data }) => (data.object as { id: string }).id === id).map(({ type }) => type)

describe('a text', () => {
  it.each(['STOP', 'stop', ' Stop. ', '"STOP!"', 'StopAll', 'UNSUBSCRIBE', 'cancel', 'End', 'quit\n'])(
    'that says %j opts its sender out',
    async (body) => {
      const sim = await simulate()
      const phone = sim.phone()
      const { id } = await sim.lead({ phone })
      const reply = await text(sim, phone, body)
      expect([reply.status, reply.data]).toEqual([202, { opted_out: true }])
      expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue' })
      const out = (await sim.events()).find(({ type }) => type === 'lead.opted_out')
      expect(out?.data).toMatchObject({ object: { id }, opt_out: { source: 'sms' } })
      const entries = await sim.live.all<{ phone: string; source: string }>('/dnc', 'cursor')
      expect(entries).toMatchObject([{ phone, source: 'sms' }])
    },
  )

  it.each(['Please stop calling', 'STOPPED', 'nonstop', 'END IT', '', '...'])('that says %j does not', async (body) => {
    const sim = await simulate()
    const phone = sim.phone()
    expect((await text(sim, phone, body)).data).toEqual({ opted_out: false })
    expect(await isListed(sim, phone)).toBe(false)
  })

  it('is read however much of it is no word', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const dots = '.'.repeat(2_000_000)
    expect((await text(sim, phone, `${dots}STOP${dots}it`)).data).toEqual({ opted_out: false })
    expect((await text(sim, phone, `${dots}STOP${dots}`)).data).toEqual({ opted_out: true })
  })

  it('that says it again changes nothing', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.lead({ phone })
    await text(sim, phone, 'STOP')
    const before = (await sim.events()).length
    expect((await text(sim, phone, 'STOP')).data).toEqual({ opted_out: true })
    expect(await sim.events()).toHaveLength(before)
  })

  it('opts out of one mode alone, and comes from a number', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await text(sim, phone, 'STOP', { mode: 'test' })
    expect(await isListed(sim, phone)).toBe(false)
    expect((await text(sim, 'nobody', 'STOP')).error).toMatchObject({ code: 'invalid_phone', param: 'from' })
  })
})

describe('a call that comes in', () => {
  it('belongs to the campaign’s lead with the number, which is on the call until it ends', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const phone = sim.phone()
    const { id } = await sim.lead({ phone })
    const reply = await call(sim, phone, { outcome: 'interested' })
    expect(reply.status).toBe(201)
    expect(reply.data).toMatchObject({
      direction: 'inbound',
      status: 'ringing',
      lead: { id, phone },
      campaign_id: sim.campaignId,
    })
    expect(await sim.readLead(id)).toMatchObject({ status: 'on_call', attempts: 0 })
    await sim.advance('1h')
    expect(await sim.readCall(reply.data.id)).toMatchObject({
      status: 'ended',
      outcome: 'interested',
      handled_by: { role: expect.any(String) as string },
    })
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', last_outcome: 'interested', attempts: 0 })
    const types = await typesAbout(sim, reply.data.id)
    expect(types).toEqual(['call.started', 'call.answered', 'lead.interested', 'handover.accepted', 'call.completed'])
  })

  it('takes no line', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ lines: 1 })
    await call(sim, sim.phone())
    expect((await sim.lead()).status).toBe('dialing')
  })

  it('of somebody unknown has no lead, and is heard all the same', async () => {
    const sim = await simulate()
    const { data } = await call(sim, '+13105557812', { outcome: 'not_interested' })
    expect(data.lead).toBeNull()
    await sim.advance('10m')
    expect(await sim.readCall(data.id)).toMatchObject({
      status: 'ended',
      outcome: 'not_interested',
      transcript_available: true,
    })
  })

  it('goes as it was scripted for the number', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', ring_seconds: 2, talk_seconds: 40, outcome: 'not_qualified' })
    const { data } = await call(sim, phone)
    await sim.advance('42s')
    expect(await sim.readCall(data.id)).toMatchObject({
      status: 'ended',
      outcome: 'not_qualified',
      duration_seconds: 40,
    })
  })

  it('holds the number’s waiting leads back for 24 hours, its own lead too', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    const other = await sim.campaign({ lines: 0 })
    await sim.changeCampaign({ lines: 0 })
    const own = await sim.lead({ phone })
    const elsewhere = await sim.lead({ phone, campaign_id: other.id })
    await call(sim, phone, { outcome: 'no_answer' })
    const cooling = {
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
      scheduled_for: '2026-10-02T15:00:00.000Z',
    }
    expect(await sim.readLead(elsewhere.id)).toMatchObject(cooling)
    await sim.advance('1m')
    expect(await sim.readLead(own.id)).toMatchObject({ ...cooling, last_outcome: null })
  })

  it('of a stranger holds back a lead that comes after it', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await call(sim, phone, { outcome: 'hung_up' })
    await sim.advance('5m')
    expect(await sim.lead({ phone })).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'recent_contact_cooldown',
    })
  })

  it('brings back nobody who is out of the queue, and closes a lead’s wait when it was spoken to', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const [out, held] = [sim.phone(), sim.phone()]
    const [outId, heldId] = [(await sim.lead({ phone: out })).id, (await sim.lead({ phone: held })).id]
    await sim.control('POST', `/_sim/leads/${outId}/take_out`)
    await call(sim, out, { outcome: 'callback' })
    await call(sim, held, { outcome: 'busy' })
    await sim.advance('10m')
    expect(await sim.readLead(outId)).toMatchObject({
      status: 'out_of_queue',
      last_outcome: 'callback',
      callback_at: null,
    })
    expect(await sim.readLead(heldId)).toMatchObject({ status: 'held', last_outcome: null })
    await call(sim, held, { outcome: 'not_interested' })
    await sim.advance('10m')
    expect(await sim.readLead(heldId)).toMatchObject({ status: 'done', last_outcome: 'not_interested' })
  })

  it('that nobody takes leaves a booked callback where it was', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', outcome: 'callback', callback_at: '2026-10-03T15:00:00Z' })
    const { id } = await sim.lead({ phone })
    await sim.advance('10m')
    await call(sim, phone, { outcome: 'no_answer' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'on_call', callback_at: null })
    await sim.advance('10m')
    expect(await sim.readLead(id)).toMatchObject({
      status: 'callback_scheduled',
      callback_at: '2026-10-03T15:00:00.000Z',
    })
    await sim.advance('2026-10-03T15:00:01Z')
    expect(await sim.readLead(id)).toMatchObject({ status: 'dialing' })
  })

  it('books a callback, and opts out', async () => {
    const sim = await simulate()
    const [later, never] = [sim.phone(), sim.phone()]
    await sim.changeCampaign({ status: 'paused' })
    const [laterId, neverId] = [(await sim.lead({ phone: later })).id, (await sim.lead({ phone: never })).id]
    await call(sim, later, { outcome: 'callback' })
    await call(sim, never, { outcome: 'dnc' })
    await sim.advance('10m')
    expect(await sim.readLead(laterId)).toMatchObject({
      status: 'callback_scheduled',
      callback_at: '2026-10-02T15:00:00.000Z',
    })
    expect(await sim.readLead(neverId)).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
    expect(await isListed(sim, never)).toBe(true)
  })

  it('is refused while the number is on the telephone, from no number, and to no campaign', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.lead({ phone })
    expect(await call(sim, phone)).toMatchObject({ status: 409, error: { code: 'lead_busy' } })
    expect((await call(sim, '12')).error).toMatchObject({ code: 'invalid_phone', param: 'from' })
    const nowhere = { campaign_id: '00000000-0000-4000-8000-000000000000' }
    expect((await call(sim, phone, nowhere)).error).toMatchObject({ code: 'not_found', param: 'campaign_id' })
  })
})

describe('numbers marked in the app', () => {
  it.each(['manual', 'bulk'] as const)('are listed, each on its own, with the source %s', async (source) => {
    const sim = await simulate()
    const phone = sim.phone()
    const { id } = await sim.lead({ phone })
    const { data } = await sim.ask('POST', '/_sim/dnc', { phones: [phone, phone, 'x'], source })
    expect(data).toEqual({ succeeded: 1, failed: 2, errors: [phone, 'x'], livemode: true })
    const out = (await sim.events()).filter(({ type }) => type === 'lead.opted_out')
    expect(out.map(({ data }) => data)).toMatchObject([{ object: { id }, opt_out: { source } }])
  })
})

describe('a correction', () => {
  const correct = (sim: Simulation, id: string, words: object) => sim.ask<Call>('PATCH', `/_sim/calls/${id}`, words)

  /** A lead whose first call has ended so. */
  async function afterCall(script: ScriptedCall = { answer: 'person', outcome: 'not_interested' }) {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { talk_seconds: 60, ...script })
    const { id } = await sim.lead({ phone })
    await sim.advance('5m')
    const lead = await sim.readLead(id)
    return { sim, phone, id, callId: lead.calls[0]?.id ?? '', lead }
  }

  const completedOf = async (sim: Simulation, callId: string) =>
    (await sim.events()).flatMap((event) =>
      event.type === 'call.completed' && event.data.object.id === callId ? [event.data] : [],
    )

  // rule S6
  it('sends call.completed again with a higher revision and a newer updated, though time stands still', async () => {
    const { sim, id, callId } = await afterCall()
    for (const note of ['one', 'two'])
      await correct(sim, callId, { outcome: note === 'one' ? 'interested' : 'other', note })
    const completed = await completedOf(sim, callId)
    expect(completed.map(({ revision, object }) => [revision, object.outcome, object.note])).toEqual([
      [1, 'not_interested', 'Is no longer interested.'],
      [2, 'interested', 'one'],
      [3, 'other', 'two'],
    ])
    const moments = completed.map(({ object }) => object.updated)
    expect(moments).toEqual([...new Set(moments)].sort())
    expect(await sim.readLead(id)).toMatchObject({ last_outcome: 'other', last_outcome_label: 'Other', status: 'done' })
    expect(await sim.readCall(callId)).toMatchObject({ outcome: 'other', outcome_label: 'Other', note: 'two' })
  })

  it('gives the outcome a name of its own', async () => {
    const { sim, id, callId } = await afterCall()
    expect((await correct(sim, callId, { outcome: 'interested', outcome_label: 'Hot' })).data).toMatchObject({
      outcome: 'interested',
      outcome_label: 'Hot',
    })
    expect(await sim.readLead(id)).toMatchObject({ last_outcome: 'interested', last_outcome_label: 'Hot' })
  })

  it('that changes nothing sends nothing', async () => {
    const { sim, callId } = await afterCall()
    await correct(sim, callId, { outcome: 'not_interested' })
    await correct(sim, callId, {})
    expect(await completedOf(sim, callId)).toHaveLength(1)
  })

  it('to an outcome that finishes the lead ends its wait for a retry', async () => {
    const { sim, id, callId, lead } = await afterCall({ answer: 'no_answer' })
    expect(lead).toMatchObject({ status: 'scheduled', scheduled_reason: 'retry_after_outcome' })
    await correct(sim, callId, { outcome: 'not_interested' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', next_dial_at: null })
    await sim.advance('3d')
    expect(await sim.readLead(id)).toMatchObject({ attempts: 1 })
  })

  it('to an outcome that is tried again brings a finished lead back, counted from the end of the call', async () => {
    const { sim, id, callId } = await afterCall()
    await correct(sim, callId, { outcome: 'no_answer' })
    const { ended } = await sim.readCall(callId)
    const scheduled_for = new Date(Date.parse(ended ?? '') + 2 * 3_600_000).toISOString()
    expect(await sim.readLead(id)).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'retry_after_outcome',
      scheduled_for,
    })
  })

  it('to dnc lists the number with the source outcome', async () => {
    const { sim, phone, id, callId } = await afterCall()
    await correct(sim, callId, { outcome: 'dnc' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
    expect(await sim.live.all('/dnc', 'cursor')).toMatchObject([{ phone, source: 'outcome' }])
    const out = (await sim.events()).find(({ type }) => type === 'lead.opted_out')
    expect(out?.data).toMatchObject({ opt_out: { source: 'outcome' } })
    await correct(sim, callId, { outcome: 'interested' })
    expect(await isListed(sim, phone)).toBe(true)
    expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: 'interested' })
  })

  it('of an earlier call leaves the lead with its latest', async () => {
    const { sim, id, callId } = await afterCall({ answer: 'no_answer' })
    await sim.advance('3h')
    const lead = await sim.readLead(id)
    expect(lead.calls).toHaveLength(2)
    await correct(sim, callId, { outcome: 'wrong_number' })
    const { updated: _updated, calls: _calls, ...rest } = lead
    expect(await sim.readLead(id)).toMatchObject(rest)
  })

  it('moves no lead that was put back in the queue since', async () => {
    const { sim, id, callId } = await afterCall()
    await sim.changeCampaign({ status: 'paused' })
    await sim.control('POST', `/_sim/leads/${id}/put_back`)
    await correct(sim, callId, { outcome: 'interested' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'held', last_outcome: 'interested' })
  })

  it('leaves the outcome of an opt-out to the lead', async () => {
    const { sim, id, callId } = await afterCall()
    await sim.live.post<Lead>(`/leads/${id}/opt_out`, {})
    await correct(sim, callId, { outcome: 'interested' })
    expect(await sim.readLead(id)).toMatchObject({ status: 'out_of_queue', last_outcome: 'dnc' })
  })

  it('waits for the end of the call, and names one', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    const { calls } = await sim.readLead(id)
    const running = await correct(sim, calls[0]?.id ?? '', { note: 'x' })
    expect([running.status, running.error.code]).toEqual([400, 'invalid_request'])
    expect((await correct(sim, id, { note: 'x' })).status).toBe(404)
  })
})
