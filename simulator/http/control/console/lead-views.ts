/** Serves the console's list of leads, and the story of one lead. */
import type { StoryItem } from '../../../../src/contract/control/lead-views.js'
import type { LeadStatus } from '../../../../src/contract/leads.js'
import { minutes, after, toIso, toIsoOrNull, type Instant } from '../../../kernel/instant.js'
import { eventOfNewLead, eventsAt } from '../../../model/lead-events.js'
import { LeadSearch, type LeadsFound } from '../../../model/lead-search.js'
import { scheduledReason, type Lead } from '../../../model/lead.js'
import type { Call } from '../../../model/call.js'
import { serializeCall } from '../../../model/serialize/calls.js'
import { serializeLead, simulatedDelivery } from '../../../model/serialize/resources.js'
import type { Event } from '../../../model/webhooks/event.js'
import type { Tenant } from '../../../model/world.js'
import { envelopeOf } from '../../../webhooks/outbox.js'
import { cursorNumber } from '../../cursor.js'
import { replyOk, type ControlHandlers } from '../../handler.js'
import { campaignNamed, inAnyTenant, tenantNamed, type ControlContext } from '../context.js'

/** Milliseconds after which one search stops. Other requests wait meanwhile, and the page continues with its cursor. */
const searchMs = 60
const callsMost = 50
const deliveriesMost = 200

export function leadViewHandlers(context: ControlContext): Pick<ControlHandlers, 'listLeadsInApp' | 'getLeadStory'> {
  const { steps, machine, world } = context
  return {
    listLeadsInApp: ({ query }) =>
      steps.read(() => {
        const { status, reason, limit, organization_id } = query
        const tenant = tenantNamed(context, query)
        const before = cursorNumber(query.starting_after, (id) => tenant.leads.number(id))
        const campaign =
          query.campaign_id === undefined
            ? undefined
            : campaignNamed(context, query.campaign_id, { organization_id, param: 'campaign_id' }).n
        const text = query.text?.trim() || undefined
        const ends = machine.monotonic() + searchMs
        const search = new LeadSearch(world.store, tenant.n, () => machine.monotonic() < ends)
        const known = text === undefined ? null : knownLead(tenant, text)
        const found = known
          ? { leads: [known], next: null, isPartial: false }
          : text === undefined && (reason === undefined || reason === 'outside_calling_hours')
            ? pageOf(tenant, { campaign, status, reason }, before, limit)
            : search.find({ campaign, status, reason, text }, before, limit)
        const next_cursor = found.next === null ? null : tenant.leads.id(found.next)
        return {
          status: 200 as const,
          body: {
            data: found.leads.map((lead) => listedLead(tenant, lead)),
            meta: { next_cursor, has_more: next_cursor !== null, is_partial: found.isPartial },
          },
        }
      }),
    getLeadStory: ({ params }) =>
      steps.read(() => {
        const { tenant, row: lead } = inAnyTenant(context, 'lead', ({ leads }) => leads.byId(params.id))
        const calls = tenant.calls.page({ campaigns: null, leads: [lead.n] }, null, callsMost)
        const { id, name } = tenant.campaign(lead.campaign)
        return replyOk({
          lead: serializeLead(tenant, lead),
          organization_id: tenant.record.id,
          campaign: { id, name },
          calls: calls.map((call) => serializeCall(tenant, call)),
          items: storyOf(tenant, lead, calls),
        })
      }),
  }
}

/** The lead with this id or external id. */
function knownLead({ leads }: Tenant, text: string): Lead | null {
  const byId = /^[0-9a-f-]{36}$/i.test(text) ? leads.byId(text.toLowerCase()) : null
  const [byExternalId, ...others] = leads.listByExternalId(text)
  return byId ?? (others.length === 0 ? (byExternalId ?? null) : null)
}

interface Filter {
  campaign: number | undefined
  status: LeadStatus | undefined
  reason: 'outside_calling_hours' | undefined
}

function pageOf(tenant: Tenant, filter: Filter, before: number | null, limit: number): LeadsFound {
  const rows = rowsOf(tenant, filter, before, limit + 1)
  const leads = rows.slice(0, limit)
  return { leads, next: rows.length > limit ? (leads.at(-1)?.n ?? null) : null, isPartial: false }
}

function rowsOf({ leadLists }: Tenant, { campaign, status, reason }: Filter, before: number | null, limit: number) {
  const campaigns = campaign === undefined ? null : [campaign]
  if (reason === undefined) return leadLists.page({ campaigns, status }, before, limit)
  if (status !== undefined && status !== 'scheduled') return []
  return leadLists.waitingForHours(campaigns, before, limit)
}

function listedLead({ leads, world }: Tenant, lead: Lead) {
  const { name, phone, external_id, status, attempts, last_outcome } = lead
  return {
    id: leads.id(lead.n),
    campaign_id: world.campaigns.get(lead.campaign).id,
    name,
    phone,
    external_id,
    status,
    reason: scheduledReason(lead) ?? (status === 'held' ? lead.held_reason : null),
    next_at: toIsoOrNull(status === 'callback_scheduled' ? lead.callback_at : lead.scheduled_for),
    call_now: lead.call_now === 1,
    late: lead.late === 1,
    attempts,
    last_outcome,
    updated: toIso(lead.updated),
  }
}

/** Events, deliveries and calls without events, oldest first. */
function storyOf(tenant: Tenant, lead: Lead, calls: readonly Call[]): StoryItem[] {
  const { leads, deliveries, endpoints } = tenant
  const ids = [leads.id(lead.n), ...calls.map(({ n }) => tenant.calls.id(n))]
  const created = eventOfNewLead(tenant, lead)
  const events = new Map<number, Event>(created ? [[created.n, created]] : [])
  for (const event of eventsAt(tenant, momentsOf(tenant, lead, calls), ids, created?.n ?? 0)) events.set(event.n, event)
  const items: (StoryItem & { order: number })[] = []
  for (const event of events.values()) {
    const envelope = envelopeOf(tenant, event) as NonNullable<StoryItem['event']>
    const subject = envelope.data.object
    const call = 'object' in subject ? subject.id : undefined
    items.push({
      at: toIso(event.created),
      kind: 'event',
      what: event.type,
      event: envelope,
      ...(call !== undefined && { call_id: call }),
      order: event.n,
    })
  }
  if (!created) items.push({ at: toIso(lead.created), kind: 'event', what: 'lead.created', order: 0 })
  for (const delivery of deliveries.ofEvents([...events.keys()], deliveriesMost)) {
    const endpoint = endpoints.get(delivery.endpoint)
    items.push({
      at: toIso(delivery.last_attempt_at ?? delivery.created),
      kind: 'delivery',
      what: delivery.event_type,
      delivery: simulatedDelivery(tenant, delivery),
      ...(endpoint && { url: endpoint.url }),
      order: Number.MAX_SAFE_INTEGER,
    })
  }
  const entry = tenant.dnc.withPhone(lead.phone)
  if (entry) items.push({ at: toIso(entry.created), kind: 'dnc', what: entry.source, order: 0 })
  return items
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.order - b.order))
    .map(({ order: _order, ...item }) => item)
}

/** The moments at which events of the lead can have happened. */
function momentsOf(tenant: Tenant, lead: Lead, calls: readonly Call[]): Set<Instant> {
  const { late_after_minutes } = tenant.campaign(lead.campaign)
  const found: (Instant | null)[] = [lead.created, lead.accepted, lead.updated, lead.due]
  if (lead.late === 1) found.push(after(lead.arrived, minutes(late_after_minutes)))
  for (const call of calls)
    found.push(call.started, call.answered, call.interested_at, call.handed_over_at, call.ended, call.updated)
  const entry = tenant.dnc.withPhone(lead.phone)
  if (entry) found.push(entry.created)
  return new Set(found.filter((at) => at !== null))
}
