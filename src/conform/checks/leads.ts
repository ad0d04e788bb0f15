/** Checks of saved leads: creation, duplicates, reading and changing (rules A7, D5, D9, S1, S8). */
import type { Lead } from '../../contract/leads.js'
import type { LeadAccepted } from '../../contract/new-leads.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, page, refused } from '../expect.js'
import {
  consent,
  dialedLead,
  dryRun,
  heldLead,
  listedNumber,
  otherCampaign,
  readLead,
  type SavedLead,
} from '../fixtures/leads.js'
import type { Session } from '../session.js'

/** The saved lead of this run; an earlier run's lead is not what this run sent. */
async function newLead(session: Session): Promise<SavedLead> {
  const saved = await dialedLead(session)
  if (!saved.isNew) cannotAsk('the reserved number has a lead of an earlier run')
  return saved
}

const requireWindow = async (session: Session): Promise<void> => {
  if ((await session.campaign()).duplicate_window_days === 0) cannotAsk('the campaign has no duplicate window')
}

const creation: readonly Check[] = [
  {
    rule: 'T1',
    group: 'leads',
    title: 'A reserved test number is accepted with a test key',
    needs: ['leads:write'],
    run: async (session) => {
      const { reply, sent } = await newLead(session)
      const lead = accepted<LeadAccepted>(reply, 201)
      contains(reply, lead, {
        external_id: sent['external_id'],
        dry_run: false,
        scheduled_for: null,
        livemode: session.isLive,
      })
      expects(reply, ['dialing', 'queued', 'held'].includes(lead.status), 'a status of dialing, queued or held')
      if (lead.status === 'dialing') equals(reply, 'place_in_line', lead.place_in_line, 0)
    },
  },
  {
    rule: 'S1',
    group: 'leads',
    title: 'A saved lead is read as it was sent, with its phone in E.164',
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const { id, sent } = await newLead(session)
      const { lead, reply } = await readLead(session, id)
      const { external_id, name, email, address, campaign_id } = sent
      contains(reply, lead, { id, campaign_id, external_id, name, email, address, phone: '+15550100001' })
      contains(reply, lead, { late: false, callback_at: null })
      expects(
        reply,
        lead.fields['other'] === 'x' && lead.fields['run'] === session.madeUp.runId,
        'the fields that were sent',
      )
      contains(reply, lead.consent ?? {}, {
        source: consent.source,
        text: consent.text,
        url: consent.url,
        ip: consent.ip,
      })
    },
  },
  {
    rule: 'S1',
    group: 'leads',
    title: 'A new lead is the newest of the list',
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const { id } = await newLead(session)
      const reply = await session.get('/leads?limit=1')
      const { items } = page<Lead>(reply)
      if (items[0]?.id !== id && (await isOlder(session, items[0], id))) cannotAsk('another client adds leads')
      equals(reply, 'data[0].id', items[0]?.id, id)
      equals(reply, 'data[0].place_in_line', items[0]?.place_in_line, null)
    },
  },
]

/** Whether the lead is older than another one. */
async function isOlder(session: Session, newest: Lead | undefined, id: string): Promise<boolean> {
  const { lead } = await readLead(session, id)
  return newest !== undefined && Date.parse(lead.created) < Date.parse(newest.created)
}

const duplicates: readonly Check[] = [
  {
    rule: 'D9',
    group: 'leads',
    title: 'The same phone in the campaign is a duplicate',
    needs: ['leads:write'],
    run: async (session) => {
      await requireWindow(session)
      const { id } = await dialedLead(session)
      const reply = await dryRun(session, { phone: '+15550100001' })
      const error = refused(reply, 'duplicate_lead', { param: 'phone' })
      equals(reply, 'lead_id', error['lead_id'], id)
    },
  },
  {
    rule: 'D9',
    group: 'leads',
    title: 'The same external_id in the campaign is a duplicate',
    needs: ['leads:write'],
    run: async (session) => {
      await requireWindow(session)
      const { id, sent } = await newLead(session)
      const reply = await dryRun(session, { external_id: sent['external_id'] })
      const error = refused(reply, 'duplicate_lead', { param: 'external_id' })
      equals(reply, 'lead_id', error['lead_id'], id)
    },
  },
  {
    rule: 'D9',
    group: 'leads',
    title: 'The same external_id in another campaign is not a duplicate',
    needs: ['leads:write'],
    run: async (session) => {
      const { sent } = await newLead(session)
      const other = await otherCampaign(session, ({ status }) => status !== 'completed')
      if (!other) cannotAsk('the key sees one open campaign only')
      accepted(await dryRun(session, { campaign_id: other.id, external_id: sent['external_id'] }))
    },
  },
]

const found: readonly Check[] = [
  {
    rule: 'S1',
    group: 'leads',
    title: 'GET /leads with external_id answers the one lead',
    needs: ['leads:read', 'leads:write'],
    run: async (session) => {
      const { id, sent } = await newLead(session)
      const external_id = String(sent['external_id'])
      const reply = await session.get(`/leads?external_id=${external_id}`)
      equals(reply, 'data.id', accepted<Lead>(reply).id, id)
      const elsewhere = session.madeUp.uuid()
      refused(await session.get(`/leads?external_id=${external_id}&campaign_id=${elsewhere}`), 'not_found')
    },
  },
  {
    rule: 'S1',
    group: 'leads',
    title: 'Leads are filtered by status',
    needs: ['leads:read', 'leads:write'],
    run: async (session) => {
      const { lead } = await readLead(session, (await dialedLead(session)).id)
      const status = lead.status === 'scheduled' ? 'held' : 'scheduled'
      const reply = await session.get(`/leads?limit=100&status=${status}`)
      for (const one of page<Lead>(reply).items) equals(reply, 'status', one.status, status)
      refused(await session.get('/leads?status=svc'), 'invalid_request', { param: 'status' })
    },
  },
  {
    rule: 'S1',
    group: 'leads',
    title: 'Leads are filtered by campaign',
    needs: ['leads:read', 'leads:write'],
    run: async (session) => {
      const { id } = await session.campaign()
      await dialedLead(session)
      const reply = await session.get(`/leads?limit=100&campaign_id=${id}`)
      const { items } = page<Lead>(reply)
      expects(reply, items.length > 0, 'the saved lead in the list')
      for (const lead of items) equals(reply, 'campaign_id', lead.campaign_id, id)
      const none = await session.get(`/leads?campaign_id=${session.madeUp.uuid()}`)
      equals(none, 'data', page<Lead>(none).items, [])
    },
  },
  {
    rule: 'C4',
    group: 'leads',
    title: 'Leads are filtered by the time of their creation, in ISO 8601 and in Unix seconds',
    needs: ['leads:read', 'leads:write'],
    run: async (session) => {
      const { id } = await dialedLead(session)
      const { lead } = await readLead(session, id)
      const created = Date.parse(lead.created)
      const later = new Date(created + 86_400_000 * 365)
      for (const text of [later.toISOString(), String(Math.floor(later.getTime() / 1000))]) {
        const reply = await session.get(`/leads?created[gte]=${text}`)
        equals(reply, 'data', page<Lead>(reply).items, [])
      }
      const reply = await session.get(`/leads?limit=100&created[gte]=${lead.created}`)
      const { items } = page<Lead>(reply)
      expects(
        reply,
        items.some((one) => one.id === id),
        'the lead that was created at that time',
      )
      for (const one of items)
        expects(reply, Date.parse(one.created) >= created, `leads created at ${lead.created} or later`)
    },
  },
]

/** Checks of `PATCH`, in this order on one lead. */
const changes: readonly Check[] = [
  patchCheck(
    'clears a text sent as null or empty and keeps the others',
    { name: null, address: '' },
    { name: null, address: null },
    ['email', 'phone', 'external_id'],
  ),
  {
    rule: 'A7',
    group: 'leads',
    title: 'PATCH merges custom fields: an empty one is removed, the others are kept',
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const { id } = await newLead(session)
      const { lead: before } = await readLead(session, id)
      const reply = await session.patch(`/leads/${id}`, { fields: { other: '', added: 'y' } })
      const { other: _other, ...kept } = before.fields
      equals(reply, 'fields', accepted<Lead>(reply).fields, { ...kept, added: 'y' })
    },
  },
  {
    rule: 'A7',
    group: 'leads',
    title: 'PATCH replaces consent as a whole',
    needs: ['leads:write'],
    run: async (session) => {
      const { id } = await dialedLead(session)
      const replaced = { source: 'crm', agreed_at: '2026-02-03T04:05:06Z', text: 'Yes.' }
      const reply = await session.patch(`/leads/${id}`, { consent: replaced })
      const { consent: stored } = accepted<Lead>(reply)
      contains(reply, stored ?? {}, { source: 'crm', text: 'Yes.' })
      expects(reply, stored?.url === undefined && stored?.ip === undefined, 'a consent without the former url and ip')
    },
  },
  patchRefusal('refuses a phone', { phone: '+12125557812' }, 'phone_cannot_change'),
  patchRefusal('refuses the same phone', { phone: '+15550100001' }, 'phone_cannot_change'),
  patchRefusal('takes call_now only as false', { call_now: true }, 'invalid_request', 'call_now'),
  patchRefusal('refuses an unknown field', { svc_conform: 1 }, 'invalid_request', 'svc_conform'),
  patchRefusal(
    'refuses a change of campaign',
    { campaign_id: '00000000-0000-4000-8000-000000000000' },
    'invalid_request',
    'campaign_id',
  ),
  {
    rule: 'A7',
    group: 'leads',
    title: 'PATCH does not change an external_id',
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const { id, sent } = await newLead(session)
      const reply = await session.patch(`/leads/${id}`, { external_id: session.madeUp.name('other') })
      refused(reply, 'invalid_request', { param: 'external_id' })
      const { lead, reply: read } = await readLead(session, id)
      equals(read, 'external_id', lead.external_id, sent['external_id'])
    },
  },
]

function patchCheck(does: string, patch: object, after: Record<string, unknown>, kept: readonly (keyof Lead)[]): Check {
  return {
    rule: 'A7',
    group: 'leads',
    title: `PATCH ${does}`,
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const { id } = await dialedLead(session)
      const { lead: before } = await readLead(session, id)
      const reply = await session.patch(`/leads/${id}`, patch)
      const changed = accepted<Lead>(reply)
      contains(reply, changed, after)
      for (const field of kept) equals(reply, field, changed[field], before[field])
      expects(reply, Date.parse(changed.updated) >= Date.parse(before.updated), 'an updated time that does not go back')
    },
  }
}

function patchRefusal(
  does: string,
  patch: object,
  code: 'phone_cannot_change' | 'invalid_request',
  param?: string,
): Check {
  return {
    rule: 'A7',
    group: 'leads',
    title: `PATCH ${does}`,
    needs: ['leads:write'],
    run: async (session) => {
      const { id } = await dialedLead(session)
      refused(await session.patch(`/leads/${id}`, patch), code, param === undefined ? {} : { param })
    },
  }
}

const doNotCall: readonly Check[] = [
  {
    rule: 'D5',
    group: 'leads',
    title: 'A number on the Do Not Call list is refused, in any form',
    needs: ['leads:write', 'dnc:write'],
    run: async (session) => {
      const phone = await listedNumber(session)
      refused(await dryRun(session, { phone }), 'on_dnc_list', { param: 'phone' })
      const written = `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`
      refused(await dryRun(session, { phone: written }), 'on_dnc_list', { param: 'phone' })
    },
  },
]

/** Needs the lead that is held. */
export const heldLeadChecks: readonly Check[] = [
  {
    rule: 'A7',
    group: 'leads',
    title: 'PATCH sets an external_id that the campaign does not have yet',
    needs: ['leads:write', 'leads:read', 'campaigns:write'],
    run: async (session) => {
      const { sent } = await newLead(session)
      const { id, isNew } = await heldLead(session)
      if (!isNew) cannotAsk('the reserved number has a lead of an earlier run')
      const taken = await session.patch(`/leads/${id}`, { external_id: sent['external_id'] })
      refused(taken, 'duplicate_lead', { param: 'external_id' })
      const external_id = session.madeUp.name('lead')
      const reply = await session.patch(`/leads/${id}`, { external_id })
      equals(reply, 'external_id', accepted<Lead>(reply).external_id, external_id)
    },
  },
]

export const leadChecks: readonly Check[] = withExtras(
  [...creation, ...duplicates, ...found, ...changes, ...doNotCall],
  'refuses the same phone',
  'refuses a change of campaign',
  'refuses an unknown field',
  'filtered by the time of their creation',
  'does not change an external_id',
  'Leads are filtered by status',
)
