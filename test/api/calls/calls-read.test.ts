/** Calls read back, and what was said on them. */
import { describe, expect, it } from 'vitest'
import type { Call, OlderCallList, Transcript } from '../../../src/contract/calls.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const talk = { answer: 'person', ring_seconds: 5, talk_seconds: 60 } as const

/** A lead whose call is over. */
async function called(
  sim: Simulation,
  script: object,
  words: object = {},
): Promise<{ lead: string; call: string; phone: string }> {
  const phone = sim.phone()
  await sim.control('POST', '/_sim/scripts', { phone, calls: [script] })
  const { id } = await sim.lead({ phone, ...words })
  await sim.advance('2m')
  return { lead: id, phone, call: (await sim.readLead(id)).calls[0]?.id ?? '' }
}

describe('a call', () => {
  it('tells all that happened on it', async () => {
    const sim = await simulate()
    const script = {
      ...talk,
      outcome: 'interested',
      interested_after_seconds: 20,
      handover: { role: 'sdr', accept_after_seconds: 35 },
    }
    const { lead, call, phone } = await called(sim, script, { name: 'Ada', external_id: 'a' })
    const [sdr] = sim.organization.members.filter(({ role }) => role === 'sdr')
    const owner = { id: sdr?.id, name: sdr?.name }
    expect(await sim.readCall(call)).toEqual({
      id: call,
      object: 'call',
      livemode: true,
      lead: { id: lead, external_id: 'a', name: 'Ada', phone },
      campaign_id: sim.campaignId,
      direction: 'outbound',
      status: 'ended',
      outcome: 'interested',
      outcome_label: 'Interested',
      note: expect.any(String) as string,
      duration_seconds: 60,
      started: '2026-10-01T15:00:00.000Z',
      answered: '2026-10-01T15:00:05.000Z',
      ended: '2026-10-01T15:01:05.000Z',
      updated: '2026-10-01T15:01:05.000Z',
      handled_by: { ...owner, role: 'sdr' },
      owner,
      tth_seconds: 15,
      callback_at: null,
      recording_available: true,
      transcript_available: true,
      started_by: { type: 'dialer', api_key_id: null },
    })
  })

  it('has no id for a closer who takes it', async () => {
    const sim = await simulate()
    const { call } = await called(sim, { ...talk, outcome: 'interested', handover: { role: 'closer' } })
    expect((await sim.readCall(call)).handled_by).toMatchObject({
      id: null,
      role: 'closer',
      name: expect.stringMatching(/\w/),
    })
  })

  // rule S2
  it('goes from ringing to in progress to ended', async () => {
    const sim = await simulate()
    const phone = sim.phone()
    await sim.script(phone, { ...talk, outcome: 'not_interested' })
    const { id } = await sim.lead({ phone })
    const call = (await sim.readLead(id)).calls[0]?.id ?? ''
    const ringing = {
      status: 'ringing',
      outcome: null,
      answered: null,
      ended: null,
      duration_seconds: null,
      transcript_available: false,
    }
    expect(await sim.readCall(call)).toMatchObject({ ...ringing, handled_by: { id: null, role: 'ai' } })
    expect((await sim.readLead(id)).status).toBe('dialing')
    await sim.advance('5s')
    expect(await sim.readCall(call)).toMatchObject({
      status: 'in_progress',
      answered: '2026-10-01T15:00:05.000Z',
      ended: null,
      outcome: null,
    })
    expect((await sim.readLead(id)).status).toBe('on_call')
    await sim.advance('60s')
    expect(await sim.readCall(call)).toMatchObject({
      status: 'ended',
      outcome: 'not_interested',
      ended: '2026-10-01T15:01:05.000Z',
    })
    expect(await sim.readLead(id)).toMatchObject({ status: 'done', last_outcome: 'not_interested', attempts: 1 })
  })

  it.each(['no_answer', 'busy', 'failed'] as const)('that ends as %s was never answered', async (answer) => {
    const sim = await simulate()
    const { call } = await called(sim, { answer })
    expect(await sim.readCall(call)).toMatchObject({
      status: 'ended',
      outcome: answer,
      answered: null,
      duration_seconds: 0,
      note: null,
      recording_available: false,
      transcript_available: false,
    })
    expect((await sim.live.get(`/calls/${call}/transcript`)).error.code).toBe('not_found')
  })
})

describe('the list of calls', () => {
  it('has filters for campaign, lead, outcome and time', async () => {
    const sim = await simulate()
    const { id: campaign } = await sim.campaign()
    const first = await called(sim, { ...talk, outcome: 'interested' }, { external_id: 'a' })
    const second = await called(
      sim,
      { ...talk, outcome: 'not_interested' },
      { campaign_id: campaign, external_id: 'a' },
    )
    const third = await called(sim, { answer: 'busy' })
    const ids = async (query: string) => (await sim.live.all<Call>(`/calls?${query}`)).map(({ id }) => id)
    expect(await ids('')).toEqual([third.call, second.call, first.call])
    expect(await ids(`campaign_id=${campaign}`)).toEqual([second.call])
    expect(await ids(`lead_id=${first.lead}`)).toEqual([first.call])
    expect(await ids('lead_id=b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5')).toEqual([])
    expect(await ids('external_id=a')).toEqual([second.call, first.call])
    expect(await ids(`external_id=a&campaign_id=${campaign}`)).toEqual([second.call])
    expect(await ids(`lead_id=${first.lead}&external_id=a`)).toEqual([first.call])
    expect(await ids(`lead_id=${third.lead}&external_id=a`)).toEqual([])
    expect(await ids(`lead_id=${first.lead}&campaign_id=${campaign}`)).toEqual([])
    expect(await ids('outcome=busy')).toEqual([third.call])
    expect(await ids('outcome=voicemail')).toEqual([])
    expect(await ids('created[gte]=2026-10-01T15:02:00Z&created[lte]=2026-10-01T15:02:00Z')).toEqual([second.call])
    expect(await ids('created[lte]=2026-10-01T15:01:59.999Z')).toEqual([first.call])
    const seconds = Date.UTC(2026, 9, 1, 15, 2) / 1000
    expect(await ids(`created[gte]=${seconds}&created[lte]=${seconds}`)).toEqual([second.call])
    expect((await sim.live.get('/calls?created[gte]=today')).error).toMatchObject({
      code: 'invalid_request',
      param: 'created[gte]',
    })
    expect((await sim.live.get('/calls?outcome=happy')).error).toMatchObject({
      code: 'invalid_request',
      param: 'outcome',
    })
  })

  // rule P4
  it.each(['offset=0', 'offset=1', 'status=ended', 'limit=101'])(
    'answers %s in its older shape and says it is deprecated',
    async (query) => {
      const sim = await simulate()
      const { call: first } = await called(sim, talk)
      const { call: second } = await called(sim, talk)
      const { status, body, headers } = await sim.live.get(`/calls?${query}`)
      const { data, total, offset, limit, livemode } = body as OlderCallList
      expect([status, total, livemode]).toEqual([200, 2, true])
      expect([offset, limit]).toEqual([query === 'offset=1' ? 1 : 0, query === 'limit=101' ? 101 : 50])
      expect(data.map(({ id }) => id)).toEqual(query === 'offset=1' ? [first] : [second, first])
      expect(headers.deprecation).toMatch(/^@\d+$/)
      expect(headers.link).toContain('rel="deprecation"')
    },
  )

  it('has filters, and pages by offset and limit, in its older shape too, with the total of what is filtered', async () => {
    const sim = await simulate()
    const { id: campaign } = await sim.campaign()
    const calls: string[] = []
    for (let n = 0; n < 3; n++) calls.unshift((await called(sim, talk)).call)
    const elsewhere = await called(sim, talk, { campaign_id: campaign, external_id: 'a' })
    const older = async (query: string) => {
      const { data, total, limit, offset } = (await sim.live.get(`/calls?${query}`)).body as OlderCallList
      return { ids: data.map(({ id }) => id), total, limit, offset }
    }
    const page = { total: 3, limit: 2 }
    expect(await older(`offset=0&limit=2&campaign_id=${sim.campaignId}`)).toEqual({
      ...page,
      offset: 0,
      ids: calls.slice(0, 2),
    })
    expect(await older(`offset=2&limit=2&campaign_id=${sim.campaignId}`)).toEqual({
      ...page,
      offset: 2,
      ids: calls.slice(2),
    })
    expect(await older('limit=500&external_id=a')).toEqual({ total: 1, limit: 500, offset: 0, ids: [elsewhere.call] })
    expect(await older('status=ended&outcome=busy')).toMatchObject({ total: 0, ids: [] })
    expect(await older('offset=9')).toMatchObject({ total: 4, ids: [] })
    const scoped = sim.as(await sim.key({ campaign_ids: [campaign] }))
    expect((await scoped.get('/calls?offset=0')).body).toMatchObject({ total: 1, data: [{ id: elsewhere.call }] })
    for (const query of ['offset=-1', 'status=over', 'limit=501'])
      expect((await sim.live.get(`/calls?${query}`)).error).toMatchObject({
        code: 'invalid_request',
        param: query.split('=')[0],
      })
  })

  it('has no such header in its usual shape', async () => {
    const sim = await simulate()
    expect((await sim.live.get('/calls?limit=100')).headers.deprecation).toBeUndefined()
  })

  it('has the status of the call as a filter of the older shape', async () => {
    const sim = await simulate()
    await called(sim, talk)
    await sim.lead()
    const { data } = (await sim.live.get('/calls?status=ringing')).body as OlderCallList
    expect(data.map(({ status }) => status)).toEqual(['ringing'])
  })
})

describe('a transcript', () => {
  it('names the lead, the AI and the person; a lead without a name is called Lead', async () => {
    const sim = await simulate()
    const lines = (['lead', 'ai', 'agent'] as const).map((speaker) => ({ speaker, text: 'Hello.' }))
    const script = { ...talk, lines, outcome: 'interested', handover: { role: 'closer' } }
    const { call } = await called(sim, script)
    const { data } = await sim.live.get<Transcript>(`/calls/${call}/transcript?format=json`)
    const closer = sim.organization.members.find(({ role }) => role === 'closer')
    expect(data).toMatchObject({ call_id: call, livemode: true })
    expect(data.lines.map(({ speaker, name }) => [speaker, name])).toEqual([
      ['lead', 'Lead'],
      ['ai', 'AI agent'],
      ['agent', closer?.name],
    ])
  })

  it('has one line a turn as text, whatever is in it', async () => {
    const sim = await simulate()
    const lines = [
      { speaker: 'lead', text: 'One moment.\n\nYes?' },
      { speaker: 'ai', text: 'Good\r\nmorning.' },
    ]
    const { call } = await called(sim, { ...talk, lines }, { name: 'Ada\nByron' })
    const { body } = await sim.live.get(`/calls/${call}/transcript?format=text`)
    expect(body).toBe('Ada Byron: One moment. Yes?\nAI agent: Good morning.\n')
  })

  it('has its lines in order, within the call', async () => {
    const sim = await simulate()
    const { call } = await called(
      sim,
      { ...talk, outcome: 'interested', handover: { role: 'sdr', accept_after_seconds: 30 } },
      { name: 'Ada Byron' },
    )
    const { data } = await sim.live.get<Transcript>(`/calls/${call}/transcript`)
    expect(data.call_id).toBe(call)
    expect(new Set(data.lines.map(({ speaker }) => speaker))).toEqual(new Set(['ai', 'lead', 'agent']))
    const moments = data.lines.map(({ at }) => at)
    expect(moments).toEqual([...moments].sort())
    expect(moments[0]).toBe('2026-10-01T15:00:05.000Z')
    expect((moments.at(-1) ?? '') < '2026-10-01T15:01:05.000Z').toBe(true)
    const name = (speaker: string) => data.lines.find((line) => line.speaker === speaker)?.name
    expect([name('lead'), name('agent')]).toEqual(['Ada Byron', (await sim.readCall(call)).handled_by.name])
  })

  it.each([
    ['after the intent showed', 50],
    ['before it', 10],
  ])(
    'has its lines in order where a person came %s, and goes without the name of a lead that has none',
    async (_when, accept_after_seconds) => {
      const sim = await simulate()
      const handover = { role: 'sdr', accept_after_seconds }
      const { call } = await called(sim, { ...talk, outcome: 'interested', interested_after_seconds: 30, handover })
      const { lines } = (await sim.live.get<Transcript>(`/calls/${call}/transcript`)).data
      const moments = lines.map(({ at }) => at)
      expect(moments).toEqual([...moments].sort())
      const came = Date.parse('2026-10-01T15:00:05Z') + accept_after_seconds * 1000
      expect(Date.parse(lines.find(({ speaker }) => speaker === 'agent')?.at ?? '')).toBe(came)
      expect(lines.at(-1)).toMatchObject({ speaker: 'agent', text: 'Thank you. Goodbye.' })
    },
  )

  it('says what was said, whatever the outcome is corrected to', async () => {
    const sim = await simulate()
    const { call } = await called(sim, { ...talk, outcome: 'not_interested' }, { name: '$& Byron' })
    const said = async () => (await sim.live.get<Transcript>(`/calls/${call}/transcript`)).data.lines
    const before = await said()
    expect(before[1]?.text).toMatch(/^Hi \$&, this is/)
    await sim.control('PATCH', `/_sim/calls/${call}`, { outcome: 'wrong_number' })
    expect(await said()).toEqual(before)
  })

  it('is plain text on demand, one line a turn', async () => {
    const sim = await simulate()
    const lines = [
      { speaker: 'lead', text: 'Hello?' },
      { speaker: 'ai', text: 'Good morning.' },
    ]
    const { call } = await called(sim, { ...talk, lines }, { name: 'Ada' })
    const { body, headers } = await sim.live.get(`/calls/${call}/transcript?format=text`)
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(body).toBe('Ada: Hello?\nAI agent: Good morning.\n')
    expect((await sim.live.get(`/calls/${call}/transcript?format=pdf`)).error).toMatchObject({
      code: 'invalid_request',
      param: 'format',
    })
  })
})
