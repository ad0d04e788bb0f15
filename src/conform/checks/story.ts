/** Checks of the calls of the reserved numbers, which take minutes (rules T1, S2, S3 and S7). */
import type { Call, RecordingLink } from '../../contract/calls.js'
import type { Event } from '../../contract/events.js'
import { recordingLinkMinutes } from '../../contract/limits.js'
import type { Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, page, refused } from '../expect.js'
import { deploymentNow, dialedLead, readLead } from '../fixtures/leads.js'
import type { Session } from '../session.js'

/** The call lasts about four minutes; twice that is too long. */
const withinMs = 8 * 60_000
const askEveryMs = 5_000

/** Waits until the call of the first reserved number has ended. */
const endedCall = (session: Session) =>
  session.keep('the call of the first reserved number', async () => {
    const { id, isNew } = await dialedLead(session)
    if (!isNew) cannotAsk('the reserved number has a lead of an earlier run')
    const { clock, pace } = session.options.requester.options
    const until = clock.now() + withinMs
    const began = (await session.can('dnc:write')) ? await deploymentNow(session) : null
    for (let waited = 0; ; waited++) {
      const reply = await session.get(`/calls?lead_id=${id}`)
      const [call] = page<Call>(reply).items
      if (call?.status === 'ended') return { call, reply, leadId: id }
      if (!call && waited > 2) cannotAsk('the lead was not dialed')
      if (waited === 3 && began !== null && (await deploymentNow(session)) === began)
        cannotAsk("the deployment's clock stands still")
      if (clock.now() > until) return cannotAsk('the call did not end within 8 minutes')
      await pace.sleep(askEveryMs, 'the call of +15550100001')
    }
  })

/** The events of the ended call, oldest first. */
async function storyEvents(session: Session) {
  const { call } = await endedCall(session)
  const reply = await session.get('/events?limit=100')
  const items = page<Event>(reply).items.filter(({ data }) => data.object.id === call.id)
  return { reply, items: items.toReversed() }
}

export const storyChecks: readonly Check[] = [
  {
    rule: 'T1',
    group: 'calls',
    slow: true,
    title: '+15550100001 becomes an interested lead in about 4 minutes, handed over to a person',
    needs: ['leads:write', 'calls:read'],
    run: async (session) => {
      const { call, reply } = await endedCall(session)
      contains(reply, call, { outcome: 'interested', direction: 'outbound' })
      const seconds = (Date.parse(call.ended ?? '') - Date.parse(call.started)) / 1000
      expects(reply, seconds >= 200 && seconds <= 280, `a call of about 4 minutes, not ${seconds} seconds`)
      expects(reply, call.handled_by.role !== 'ai', 'a call that a person took')
    },
  },
  {
    rule: 'T1',
    group: 'calls',
    slow: true,
    title: 'The events of its call come in order',
    needs: ['leads:write', 'calls:read', 'leads:read', 'webhooks:read'],
    run: async (session) => {
      const { reply, items } = await storyEvents(session)
      const expected = ['call.started', 'call.answered', 'lead.interested', 'handover.accepted', 'call.completed']
      equals(
        reply,
        'types of the events',
        items.map(({ type }) => type),
        expected,
      )
      const times = items.map(({ created }) => Date.parse(created))
      expects(
        reply,
        times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0)),
        'times in order',
      )
    },
  },
  {
    rule: 'S3',
    group: 'calls',
    slow: true,
    title: 'A lead that has opted out stays out of the queue after its call',
    needs: ['leads:write', 'leads:read', 'calls:read'],
    run: async (session) => {
      const { leadId } = await endedCall(session)
      const { lead, reply } = await readLead(session, leadId)
      const optedOut = lead.status === 'out_of_queue'
      const expected = optedOut
        ? { status: 'out_of_queue', last_outcome: 'dnc' }
        : { status: 'done', last_outcome: 'interested' }
      contains(reply, lead, expected)
    },
  },
  {
    rule: 'S7',
    group: 'calls',
    slow: true,
    title: 'A recording link lasts 5 minutes',
    needs: ['leads:write', 'calls:read', 'dnc:write'],
    run: async (session) => {
      const { call } = await endedCall(session)
      const reply = await session.get(`/calls/${call.id}/recording`)
      if (!call.recording_available) {
        refused(reply, 'recording_not_available')
        return
      }
      const { expires_at } = accepted<RecordingLink>(reply)
      const again = await session.get(`/calls/${call.id}/recording`)
      const { expires_at: later } = accepted<RecordingLink>(again)
      const lasts = Date.parse(expires_at) - (await deploymentNow(session))
      expects(reply, Math.abs(lasts / 60_000 - recordingLinkMinutes) < 2, 'expires_at in 5 minutes')
      expects(again, Date.parse(later) >= Date.parse(expires_at), 'a link made for this request')
    },
  },
  {
    rule: 'S3',
    group: 'calls',
    slow: true,
    title: 'An ended call has a transcript, as JSON and as text',
    needs: ['leads:write', 'calls:read'],
    run: async (session) => {
      const { call } = await endedCall(session)
      if (!call.transcript_available) cannotAsk('the call has no transcript')
      const reply = await session.get(`/calls/${call.id}/transcript`)
      const { lines } = accepted<{ lines: { name: string; text: string }[] }>(reply)
      const text = await session.get(`/calls/${call.id}/transcript?format=text`)
      const written = accepted<string>(text).trimEnd().split('\n')
      equals(text, 'number of lines', written.length, lines.length)
      expects(text, written[0]?.startsWith(`${lines[0]?.name ?? ''}: `) ?? false, 'lines of Name: text')
    },
  },
]
