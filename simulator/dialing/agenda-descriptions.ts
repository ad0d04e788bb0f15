/** Describes the agenda and the reason each waiting lead waits, in plain words for the control API. */
import type { Appointment as Shown, WaitingLead } from '../../src/contract/control/agenda.js'
import type { HeldReason, LeadStatus, ScheduledReason } from '../../src/contract/leads.js'
import { sampleCallsPerTestKey } from '../../src/contract/limits.js'
import { callingWindowsOf, holdReason } from '../../src/dialing/eligibility.js'
import { zonesOfKey } from '../../src/phone/zones.js'
import { toIso, toIsoOrNull } from '../kernel/instant.js'
import type { Appointment } from '../model/agenda.js'
import type { Campaign } from '../model/campaign.js'
import type { CallEvent } from '../model/call.js'
import { modes } from '../model/api-key.js'
import { scheduledReason, type Lead } from '../model/lead.js'
import { tenantNumberOf } from '../model/organization.js'
import type { Task, TaskKind, TaskOf } from '../model/task.js'
import { WaitingLeads } from '../model/queue/waiting-leads.js'
import type { Tenant, World } from '../model/world.js'
import { placeInQueue } from '../model/serialize/resources.js'

type About = Pick<Shown, 'subject' | 'what'>

const nameLead = ({ name, phone }: Pick<Lead, 'name' | 'phone'>): string => name ?? phone

const describeZones = (zone: string): string => zonesOfKey(zone).join(' and ')

function describeAffected(many: number, isOpen: boolean): string {
  if (many === 1) return isOpen ? '1 lead is still in line' : '1 lead waits for that'
  const leads = `${many.toLocaleString('en-US')} leads`
  return isOpen ? `${leads} are still in line` : `${leads} wait for that`
}

/** The condition under which a due lead of a held campaign is called. */
const unless: Readonly<Record<HeldReason, string>> = {
  campaign_not_started: 'if the campaign has been started by then',
  campaign_paused: 'if the campaign is not paused any more',
  spend_cap_reached: 'if the campaign may spend more by then',
}

/** What happens when the waiting time is over. */
const dueTexts: Readonly<Record<ScheduledReason | 'callback', string>> = {
  retry_after_outcome: 'is tried again',
  recent_contact_cooldown: 'may be called again: the cooldown of the number is over',
  next_dial_time: 'is called at the time that was set',
  outside_calling_hours: 'is called when the calling hours open',
  callback: 'is called back, as booked',
}

const callEventTexts: { [K in CallEvent['what']]: (heard: Extract<CallEvent, { what: K }>) => string } = {
  answered: ({ machine }) => (machine ? 'a machine picks up' : 'it is answered'),
  interested: () => 'the lead wants to buy',
  handed_over: ({ role }) => `a person takes it over (${role})`,
  voicemail_left: () => 'a voicemail is left',
  callback_booked: ({ at }) => `a callback is booked for ${toIso(at)}`,
  opted_out: () => 'the lead asks not to be called again',
  ended: ({ outcome }) => `it ends: ${outcome}`,
}

const tasks: { [K in TaskKind]: (world: World, task: TaskOf<K>) => About } = {
  'lead.due': (world, { lead: n, tenant }) => {
    const { leads } = world.tenant(tenant)
    const lead = leads.get(n)
    const why = lead.status === 'callback_scheduled' ? 'callback' : (scheduledReason(lead) ?? 'next_dial_time')
    const hold = holdReason(world.campaigns.get(lead.campaign))
    return { subject: leads.id(n), what: `${nameLead(lead)} ${dueTexts[why]}${hold ? `, ${unless[hold]}` : ''}.` }
  },
  'lead.late': (world, { lead: n, tenant }) => {
    const { leads } = world.tenant(tenant)
    return {
      subject: leads.id(n),
      what: `${nameLead(leads.get(n))}, a call_now lead, is late if it is not called by then.`,
    }
  },
  hours: (world, { campaign: n, tenant, zone }) => {
    const campaign = world.campaigns.get(n)
    const isOpen = callingWindowsOf(campaign, zone)?.isOpen(world.now) === true
    const { queued, scheduled } = new WaitingLeads(world.tenant(tenant).leads, n).count(zone)
    const many = isOpen ? queued : scheduled
    const what = `The calling hours of ${campaign.name} ${isOpen ? 'close' : 'open'} in ${describeZones(zone)}`
    return { subject: campaign.id, what: many === 0 ? `${what}.` : `${what}: ${describeAffected(many, isOpen)}.` }
  },
  lines: (world, { campaign: n }) => {
    const campaign = world.campaigns.get(n)
    return { subject: campaign.id, what: `Free lines of ${campaign.name} go to the first in line.` }
  },
  'call.beat': (world, { call: n, beat, tenant }) => {
    const organization = world.tenant(tenant)
    const call = organization.calls.get(n)
    const who = call.lead === null ? call.phone : nameLead(organization.leads.get(call.lead))
    const heard = world.carrier.eventAt(organization, call, beat)
    const say = callEventTexts[heard.what] as (heard: CallEvent) => string
    return {
      subject: organization.calls.id(n),
      what: `The call ${call.direction === 'inbound' ? 'from' : 'to'} ${who}: ${say(heard)}.`,
    }
  },
  'delivery.attempt': (world, { delivery: n, tenant }) => {
    const { deliveries, endpoints } = world.tenant(tenant)
    const delivery = deliveries.get(n)
    const url = delivery && endpoints.get(delivery.endpoint)?.url
    const what = url
      ? `Attempt ${delivery.attempts + 1} to deliver ${delivery.event_type} to ${url}.`
      : 'Nothing: the endpoint was deleted.'
    return { subject: deliveries.id(n), what }
  },
  retention: () => ({ subject: null, what: 'Deletes data past its retention period.' }),
}

export function describeAppointment(world: World, { at, task }: Appointment): Shown {
  const say = tasks[task.kind] as (world: World, task: Task) => About
  return { at: toIso(at), kind: task.kind, ...say(world, task) }
}

const heldTexts: Readonly<Record<HeldReason, (campaign: Campaign) => string>> = {
  campaign_not_started: () => 'The campaign has not been started.',
  campaign_paused: () => 'The campaign is paused.',
  spend_cap_reached: ({ spent_usd, spend_cap_usd }) =>
    `The campaign has spent $${spent_usd.toFixed(2)}, and may spend $${(spend_cap_usd ?? 0).toFixed(2)}.`,
}

const scheduledTexts: Readonly<Record<ScheduledReason, (lead: Lead, campaign: Campaign) => string>> = {
  outside_calling_hours: ({ zone, scheduled_for }) =>
    scheduled_for === null
      ? `The calling hours never open in ${describeZones(zone)}.`
      : `It is outside the calling hours in ${describeZones(zone)}.`,
  recent_contact_cooldown: () => 'Another campaign, or a call that came in, reached the number in the last 24 hours.',
  retry_after_outcome: ({ last_outcome, attempts }, { max_attempts }) =>
    `Call ${attempts} of at most ${max_attempts} ended with ${last_outcome ?? 'nothing'}; it is tried again.`,
  next_dial_time: () => 'The time of the next call was set.',
}

/** Mentions a hold that applies when the lead is due. */
function describeOthers(lead: Lead, campaign: Campaign): string {
  const hold = lead.held_reason === null && lead.status !== 'queued' ? holdReason(campaign) : null
  return hold ? ` ${heldTexts[hold](campaign)}` : ''
}

function describeReason(organization: Tenant, lead: Lead): string {
  const campaign = organization.campaign(lead.campaign)
  if (lead.held_reason) return heldTexts[lead.held_reason](campaign)
  if (lead.status === 'callback_scheduled') return `A callback is booked.${describeOthers(lead, campaign)}`
  const reason = scheduledReason(lead)
  if (reason) return scheduledTexts[reason](lead, campaign) + describeOthers(lead, campaign)
  return `${describePlace(organization, campaign, lead)}${lead.late ? ' It is late.' : ''}`
}

function describePlace(organization: Tenant, { n, lines }: Campaign, lead: Lead): string {
  const place = `It is number ${placeInQueue(organization, lead).place_in_line} in line`
  if (lines === 0) return `${place}, and the campaign has no phone line.`
  const { busy } = organization.queues.of(n)
  // With a free line, only the limit of sample calls can keep the first lead waiting (rule T3).
  if (busy < lines)
    return `${place}, and its test key has all the ${sampleCallsPerTestKey} sample calls it may have at once.`
  return `${place}, and ${lines === 1 ? 'the one line is' : `all ${lines} lines are`} busy.`
}

const waiting: readonly LeadStatus[] = ['queued', 'scheduled', 'callback_scheduled', 'held']

/** Waiting leads of every organization, at most `limit`. */
export function listWaitingLeads(world: World, limit: number): WaitingLead[] {
  const tenants = world.organizations
    .all()
    .flatMap(({ n }) => modes.map((mode) => world.tenant(tenantNumberOf(n, mode))))
  const found: WaitingLead[] = []
  for (const organization of tenants) {
    for (const status of waiting) {
      const leads = organization.leadLists.first(status, limit - found.length)
      found.push(...leads.map((lead) => describeWaitingLead(organization, lead)).sort(compareBySoonest))
      if (found.length >= limit) return found
    }
  }
  return found
}

/** Sorts leads with a time first, by that time. The others keep their order. */
const compareBySoonest = (a: WaitingLead, b: WaitingLead): number => isSoon(a) - isSoon(b)
const isSoon = ({ until }: WaitingLead): number => (until === null ? Number.MAX_SAFE_INTEGER : Date.parse(until))

function describeWaitingLead(organization: Tenant, lead: Lead): WaitingLead {
  return {
    id: organization.leads.id(lead.n),
    campaign_id: organization.campaign(lead.campaign).id,
    name: lead.name,
    phone: lead.phone,
    status: lead.status,
    since: toIso(lead.status === 'queued' ? lead.line_at : lead.updated),
    until: toIsoOrNull(lead.status === 'callback_scheduled' ? lead.callback_at : lead.scheduled_for),
    why: describeReason(organization, lead),
  }
}
