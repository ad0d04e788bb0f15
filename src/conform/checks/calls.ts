/** Checks of calls: starting them, reading them, and what an opt-out does (rules S2 to S8, D6, D15, P4). */
import { apiCallsPerLead, callsInLead } from '../../contract/limits.js'
import type { Call, CallStarted, OlderCallList } from '../../contract/calls.js'
import type { Lead } from '../../contract/leads.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, page, refused } from '../expect.js'
import { callOfLead, newHeldLead } from '../fixtures/calls.js'
import { dialedLead, readLead } from '../fixtures/leads.js'

/** Need the held lead, while the campaign is paused. */
export const heldCallChecks: readonly Check[] = [
  {
    rule: 'S4',
    group: 'calls',
    title: 'POST /calls puts a held lead first, as call_now, and counts the calls that are left',
    needs: ['calls:write', 'leads:read', 'campaigns:write'],
    run: async (session) => {
      const id = await newHeldLead(session)
      const reply = await session.post('/calls', { lead_id: id })
      const started = accepted<CallStarted>(reply, 202)
      contains(reply, started, { lead_id: id, status: 'held', held_reason: 'campaign_paused' })
      equals(reply, 'calls_left_today', started.calls_left_today, apiCallsPerLead - 1)
      const { lead, reply: read } = await readLead(session, id)
      equals(read, 'call_now', lead.call_now, true)
    },
  },
  {
    rule: 'A7',
    group: 'calls',
    title: 'PATCH with call_now false gives up the priority',
    needs: ['calls:write', 'leads:write', 'campaigns:write'],
    run: async (session) => {
      const id = await newHeldLead(session)
      const reply = await session.patch(`/leads/${id}`, { call_now: false })
      equals(reply, 'call_now', accepted<Lead>(reply).call_now, false)
    },
  },
  {
    rule: 'D15',
    group: 'calls',
    title: 'A lead gets at most 3 calls started through the API in 24 hours',
    needs: ['calls:write', 'campaigns:write'],
    run: async (session) => {
      const id = await newHeldLead(session)
      for (let left = Infinity; left > 0;) {
        const reply = await session.post('/calls', { lead_id: id })
        const { calls_left_today } = accepted<CallStarted>(reply, 202)
        // Another check may have started one.
        const most = left === Infinity ? apiCallsPerLead - 1 : left - 1
        expects(reply, calls_left_today <= most && calls_left_today >= 0, `calls_left_today of at most ${most}`)
        if (left !== Infinity) equals(reply, 'calls_left_today', calls_left_today, left - 1)
        left = calls_left_today
      }
      const reply = await session.post('/calls', { lead_id: id }, { takes429: true })
      refused(reply, 'call_limit_reached')
      const seconds = Number(reply.headers['retry-after'])
      expects(reply, seconds > 86_000 && seconds <= 86_400, 'Retry-After of nearly 24 hours')
    },
  },
]

const startChecks: readonly Check[] = [
  {
    rule: 'S4',
    group: 'calls',
    title: 'POST /calls needs a lead',
    needs: ['calls:write'],
    run: async (session) => {
      refused(await session.post('/calls', {}), 'invalid_request', { param: 'lead_id' })
      refused(await session.post('/calls', { external_id: session.madeUp.name('none') }), 'not_found')
    },
  },
  {
    rule: 'S4',
    group: 'calls',
    title: 'A lead that is dialing or on a call gives lead_busy',
    needs: ['calls:write', 'leads:read'],
    run: async (session) => {
      const { id } = await dialedLead(session)
      const { lead } = await readLead(session, id)
      if (lead.status !== 'dialing' && lead.status !== 'on_call') cannotAsk(`the lead is ${lead.status}`)
      const reply = await session.post('/calls', { lead_id: id }, { takes429: true })
      // The call may have ended in the meantime.
      if (reply.code !== 'lead_busy' && (await readLead(session, id)).lead.status !== lead.status)
        cannotAsk('the call ended')
      refused(reply, 'lead_busy')
      if (lead.external_id === null) return
      const { external_id, campaign_id } = lead
      const named = await session.post('/calls', { external_id, campaign_id }, { takes429: true })
      if (named.status !== 202) refused(named, 'lead_busy')
    },
  },
  {
    rule: 'S4',
    group: 'calls',
    title: 'POST /calls with a lead and another campaign gives 404',
    needs: ['calls:write', 'leads:write'],
    run: async (session) => {
      const { id } = await dialedLead(session)
      refused(await session.post('/calls', { lead_id: id, campaign_id: session.madeUp.uuid() }), 'not_found')
    },
  },
]

const reading: readonly Check[] = [
  {
    rule: 'S2',
    group: 'calls',
    title: 'The times of every call fit its status',
    needs: ['calls:read'],
    run: async (session) => {
      const reply = await session.get('/calls?limit=100')
      const { items } = page<Call>(reply)
      if (items.length === 0) cannotAsk('there are no calls')
      items.forEach((call, index) =>
        expects(reply, fitsStatus(call), `data[${index}]: times that fit the status ${call.status}`),
      )
    },
  },
  {
    rule: 'S2',
    group: 'calls',
    title: 'A dialed lead has a call that names it',
    needs: ['calls:read', 'leads:write', 'leads:read'],
    run: async (session) => {
      const { call } = await callOfLead(session)
      const { id } = await dialedLead(session)
      const reply = await session.get(`/calls/${call.id}`)
      const read = accepted<Call>(reply)
      const { lead } = await readLead(session, id)
      contains(reply, read, { id: call.id, campaign_id: lead.campaign_id, direction: 'outbound' })
      const { external_id, name, phone } = lead
      equals(reply, 'lead', read.lead, { id, external_id, name, phone })
      equals(reply, 'started', read.started, call.started)
    },
  },
  {
    rule: 'S8',
    group: 'calls',
    title: 'A lead shows its last calls, newest first, as GET /calls lists them',
    needs: ['calls:read', 'leads:write', 'leads:read'],
    run: async (session) => {
      const { id } = await dialedLead(session)
      const { items } = page<Call>(await session.get(`/calls?lead_id=${id}`))
      const { lead, reply } = await readLead(session, id)
      if (items.length === 0 && lead.calls.length === 0) cannotAsk('the lead was not dialed yet')
      const expected = items.slice(0, callsInLead).map((call) => call.id)
      const found = lead.calls.map((call) => call.id)
      // A call may begin between the two reads.
      expects(
        reply,
        JSON.stringify(found.slice(-expected.length)) === JSON.stringify(expected),
        `calls ${expected.join(', ')}`,
      )
    },
  },
  {
    rule: 'S3',
    group: 'calls',
    title: 'The status of a lead on a call follows the status of the call',
    needs: ['calls:read', 'leads:write', 'leads:read'],
    run: async (session) => {
      const { call } = await callOfLead(session)
      const { lead, reply } = await readLead(session, (await dialedLead(session)).id)
      const after = accepted<Call>(await session.get(`/calls/${call.id}`))
      if (after.status !== call.status) cannotAsk('the call moved on in the meantime')
      if (lead.status === 'out_of_queue') cannotAsk('the lead has opted out')
      const fits = { ringing: 'dialing', in_progress: 'on_call', ended: undefined }[after.status]
      if (fits === undefined) cannotAsk('the call has ended')
      equals(reply, 'status', lead.status, fits)
      expects(reply, lead.attempts >= 1, 'attempts of at least 1')
    },
  },
  {
    rule: 'S7',
    group: 'calls',
    title: 'A call without a recording gives 404 recording_not_available',
    needs: ['calls:read'],
    run: async (session) => {
      const { items } = page<Call>(await session.get('/calls?limit=100'))
      const silent = items.find((call) => !call.recording_available && call.status !== 'ended')
      if (!silent) cannotAsk('every call has a recording or ended')
      const reply = await session.get(`/calls/${silent.id}/recording`)
      if (reply.status === 200) cannotAsk('the call ended in the meantime')
      refused(reply, 'recording_not_available')
    },
  },
  filterCheck('lead_id', (call) => call.lead?.id ?? ''),
  filterCheck('external_id', (call) => call.lead?.external_id ?? ''),
  filterCheck('campaign_id', (call) => call.campaign_id ?? ''),
  {
    rule: 'C4',
    group: 'calls',
    title: 'Calls are filtered by the time of their start',
    needs: ['calls:read'],
    run: async (session) => {
      const { items } = page<Call>(await session.get('/calls?limit=100'))
      const oldest = items.at(-1)
      if (!oldest) cannotAsk('there are no calls')
      const until = await session.get(`/calls?limit=100&created[lte]=${oldest.started}`)
      for (const call of page<Call>(until).items)
        expects(
          until,
          Date.parse(call.started) <= Date.parse(oldest.started),
          `calls started at ${oldest.started} or earlier`,
        )
      const later = new Date(Date.parse(items[0]?.started ?? '') + 86_400_000 * 365).toISOString()
      const from = await session.get(`/calls?created[gte]=${later}`)
      equals(from, 'data', page<Call>(from).items, [])
    },
  },
  {
    rule: 'S3',
    group: 'calls',
    title: 'Calls are filtered by outcome',
    needs: ['calls:read'],
    run: async (session) => {
      const reply = await session.get('/calls?limit=100&outcome=interested')
      for (const call of page<Call>(reply).items) equals(reply, 'outcome', call.outcome, 'interested')
      refused(await session.get('/calls?outcome=svc'), 'invalid_request', { param: 'outcome' })
    },
  },
]

function fitsStatus({ status, started, answered, ended, duration_seconds }: Call): boolean {
  const times = [started, answered, ended].flatMap((time) => (time === null ? [] : [Date.parse(time)]))
  if (times.some((time, index) => index > 0 && time < (times[index - 1] ?? 0))) return false
  if (status === 'ringing') return answered === null && ended === null
  if (status === 'in_progress') return answered !== null && ended === null
  if (ended === null) return false
  const seconds = answered === null ? 0 : (Date.parse(ended) - Date.parse(answered)) / 1000
  return Math.abs((duration_seconds ?? 0) - seconds) <= 1
}

function filterCheck(name: 'lead_id' | 'external_id' | 'campaign_id', valueOf: (call: Call) => string): Check {
  return {
    rule: 'S2',
    group: 'calls',
    title: `Calls are filtered by ${name}`,
    needs: ['calls:read', 'leads:write', 'leads:read'],
    run: async (session) => {
      const { call } = await session.keep('a call of the lead', () => callOfLead(session))
      const value = valueOf(call)
      if (value === '') cannotAsk(`the call has no ${name}`)
      const reply = await session.get(`/calls?limit=100&${name}=${value}`)
      const { items } = page<Call>(reply)
      expects(
        reply,
        items.some(({ id }) => id === call.id),
        'the call in the list',
      )
      for (const one of items) equals(reply, name, valueOf(one), value)
      const none = await session.get(`/calls?${name}=${session.madeUp.uuid()}`)
      equals(none, 'data', page<Call>(none).items, [])
    },
  }
}

const olderQueries = ['offset=0', 'status=ended', 'limit=101'] as const

const olderLists: readonly Check[] = olderQueries.map((query) => ({
  rule: 'P4',
  group: 'calls',
  title: `GET /calls with ${query.split('=')[0]} ${query.startsWith('limit') ? 'over 100 ' : ''}answers the older list with a Deprecation header`,
  needs: ['calls:read'],
  run: async (session) => {
    const reply = await session.get(`/calls?${query}`)
    accepted(reply)
    const list = reply.body as OlderCallList
    expects(
      reply,
      Number.isInteger(list.total) && Array.isArray(list.data) && !('meta' in list),
      '{ data, total, limit, offset }',
    )
    contains(reply, list, { offset: 0, limit: query.startsWith('limit') ? 101 : 50 })
    if (query === 'status=ended') for (const call of list.data) equals(reply, 'status', call.status, 'ended')
    expects(reply, /^@\d+$/.test(reply.headers['deprecation'] ?? ''), 'a Deprecation header of @<unix seconds>')
    expects(reply, /rel="deprecation"/.test(reply.headers['link'] ?? ''), 'a Link header with rel="deprecation"')
  },
}))

const newerList: Check = {
  rule: 'P4',
  group: 'calls',
  title: 'GET /calls without them has no Deprecation header, and limit is at most 500',
  needs: ['calls:read'],
  run: async (session) => {
    const reply = await session.get('/calls?limit=100')
    page(reply)
    equals(reply, 'Deprecation', reply.headers['deprecation'], undefined)
    refused(await session.get('/calls?limit=501'), 'invalid_request', { param: 'limit' })
    refused(await session.get('/calls?offset=-1'), 'invalid_request', { param: 'offset' })
  },
}

export const callChecks: readonly Check[] = withExtras(
  [...startChecks, ...reading, ...olderLists, newerList],
  'POST /calls needs a lead',

  'and another campaign gives 404',
  'filtered by external_id',
  'filtered by campaign_id',
  'by outcome',
  'filtered by lead_id',
  'GET /calls with status',
  'GET /calls without them',
  'the time of their start',
)
