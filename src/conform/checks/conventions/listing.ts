/** Checks of what an opt-out and a listed number do to leads (rules D5, D6 and S5). */
import type { DncCheck, DncEntry } from '../../../contract/dnc.js'
import type { Lead, LeadOptOut } from '../../../contract/leads.js'
import { withExtras, type Check } from '../../check.js'
import { accepted, cannotAsk, contains, equals, expects, page, refused } from '../../expect.js'
import { callOfLead, newHeldLead } from '../../fixtures/calls.js'
import { dialedLead, dryRun, heldLead, listReserved, readLead, unlistPhoneAtEnd } from '../../fixtures/leads.js'
import type { Reply } from '../../requests/reply.js'
import type { Session } from '../../session.js'

/** The opt-out of the dialed lead, once. */
async function optOut(session: Session): Promise<{ before: Lead; lead: LeadOptOut; reply: Reply }> {
  const { id } = await dialedLead(session)
  return session.keep('the opt-out', async () => {
    if (!(await session.can('dnc:write')) || !(await session.can('dnc:read')))
      cannotAsk('the key cannot take the number off the Do Not Call list again')
    const { lead: before } = await readLead(session, id)
    const number = encodeURIComponent('+15550100001')
    const known = accepted<DncCheck>(await session.get(`/dnc/check?phone=${number}`))
    if (known.onDncList) cannotAsk('the reserved number is on the Do Not Call list already')
    unlistPhoneAtEnd(session, '+15550100001')
    const reply = await session.post(`/leads/${id}/opt_out`, { reason: 'svc conform' })
    return { before, lead: accepted<LeadOptOut>(reply), reply }
  })
}

const optOuts: readonly Check[] = [
  {
    rule: 'D6',
    group: 'calls',
    title: 'Opting out takes a lead out of the queue with outcome dnc',
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const { lead, reply } = await optOut(session)
      contains(reply, lead, { status: 'out_of_queue', last_outcome: 'dnc', callback_at: null })
    },
  },
  {
    rule: 'S5',
    group: 'calls',
    title: 'Opting out during a call does not cut the call',
    needs: ['leads:write', 'leads:read', 'calls:read'],
    run: async (session) => {
      const { before, lead, reply } = await optOut(session)
      if (before.status !== 'dialing' && before.status !== 'on_call') cannotAsk(`the lead was ${before.status}`)
      const { call } = await callOfLead(session)
      if (call.status === 'ended') cannotAsk('the call has ended')
      equals(reply, 'call_in_progress', lead.call_in_progress, true)
    },
  },
  {
    rule: 'D6',
    group: 'calls',
    title: 'Opting out puts the number on the Do Not Call list, with source api',
    needs: ['leads:write', 'leads:read', 'dnc:read'],
    run: async (session) => {
      await optOut(session)
      const reply = await session.get('/dnc?search=5550100001')
      const [entry] = page<DncEntry>(reply).items
      expects(reply, entry?.phone === '+15550100001', 'the number in the list')
      equals(reply, 'source', entry.source, 'api')
      refused(await dryRun(session, { phone: '+15550100001' }), 'on_dnc_list')
    },
  },
  {
    rule: 'D6',
    group: 'calls',
    title: 'Opting out again changes nothing and adds no second entry',
    needs: ['leads:write', 'leads:read', 'dnc:read'],
    run: async (session) => {
      const { lead } = await optOut(session)
      const reply = await session.post(`/leads/${lead.id}/opt_out`, {})
      contains(reply, accepted<LeadOptOut>(reply), { status: 'out_of_queue', last_outcome: 'dnc' })
      const list = await session.get('/dnc?search=5550100001')
      equals(list, 'number of entries', page<DncEntry>(list).items.length, 1)
    },
  },
]

/** Take leads out of the queue. */
export const listingChecks: readonly Check[] = withExtras(
  [
    {
      rule: 'D5',
      group: 'calls',
      title: 'POST /calls refuses a lead whose number is on the Do Not Call list, before other reasons',
      needs: ['calls:write', 'dnc:write', 'campaigns:write'],
      run: async (session) => {
        const id = await newHeldLead(session)
        const listed = await listReserved(session)
        refused(await session.post('/calls', { lead_id: id }, { takes429: true }), 'on_dnc_list')
        await listed.remove()
      },
    },
    {
      rule: 'D6',
      group: 'calls',
      title: 'A number that POST /dnc lists takes its leads out of the queue',
      needs: ['leads:read', 'leads:write', 'dnc:write', 'campaigns:write'],
      run: async (session) => {
        const { id } = await heldLead(session)
        const listed = await listReserved(session)
        const { lead, reply } = await readLead(session, id)
        equals(reply, 'status', lead.status, 'out_of_queue')
        await listed.remove()
      },
    },
    ...optOuts,
  ],
  'POST /calls refuses a lead whose',
)
