/** Describes the agenda and the reason each waiting lead waits, in plain words for the control API. */
import type { Appointment as Shown, WaitingLead } from '../../src/contract/control/agenda.js'
import type { HeldReason, LeadStatus, ScheduledReason } from '../../src/contract/leads.js'
import { callingWindowsOf, holdReason } from '../../src/dialing/eligibility.js'
import { explainRule, judge } from '../../src/dialing/explain.js'
import type { ExplainFacts, Judgement } from '../../src/dialing/explain-facts.js'
import { zonesOfKey } from '../../src/phone/zones.js'
import { toIso, toIsoOrNull } from '../kernel/instant.js'
import type { Appointment } from '../model/agenda.js'
import type { CallEvent } from '../model/call.js'
import { modes } from '../model/api-key.js'
import { scheduledReason, type Lead } from '../model/lead.js'
import { tenantNumberOf } from '../model/organization.js'
import type { Task, TaskKind, TaskOf } from '../model/task.js'
import { WaitingLeads } from '../model/queue/waiting-leads.js'
import type { Tenant, World } from '../model/world.js'
import { explainFactsOf } from './explained-lead.js'

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
  'call.beat': (world, { call: n, beat, tenant: tenantNumber }) => {
    const tenant = world.tenant(tenantNumber)
    const call = tenant.calls.get(n)
    const who = call.lead === null ? call.phone : nameLead(tenant.leads.get(call.lead))
    const heard = world.carrier.eventAt(tenant, call, beat)
    const say = callEventTexts[heard.what] as (heard: CallEvent) => string
    return {
      subject: tenant.calls.id(n),
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

/** The rule that decides, a hold that will apply when the lead is due, and lateness: in the words of the explanation. */
function describeReason(facts: ExplainFacts, judgement: Judgement): string {
  const { decides } = judgement
  const others = (['campaign', 'late'] as const)
    .filter((rule) => rule !== decides)
    .map((rule) => explainRule(rule, facts, judgement))
    .filter(({ rule, verdict }) => (rule === 'late' ? facts.lead.late : verdict === 'waits'))
  const found = decides === null ? others : [explainRule(decides, facts, judgement), ...others]
  return found.map(({ label, says }) => `${label}: ${says}`).join('; ') || 'every rule allows a call'
}

const waiting: readonly LeadStatus[] = ['queued', 'scheduled', 'callback_scheduled', 'held']

/** Waiting leads of every organization, at most `limit`. */
export function listWaitingLeads(world: World, limit: number): WaitingLead[] {
  const tenants = world.organizations
    .all()
    .flatMap(({ n }) => modes.map((mode) => world.tenant(tenantNumberOf(n, mode))))
  const found: WaitingLead[] = []
  for (const tenant of tenants) {
    for (const status of waiting) {
      const leads = tenant.leadLists.first(status, limit - found.length)
      found.push(...leads.map((lead) => describeWaitingLead(tenant, lead)).sort(compareBySoonest))
      if (found.length >= limit) return found
    }
  }
  return found
}

/** Sorts leads with a time first, by that time. The others keep their order. */
const compareBySoonest = (a: WaitingLead, b: WaitingLead): number => isSoon(a) - isSoon(b)
const isSoon = ({ until }: WaitingLead): number => (until === null ? Number.MAX_SAFE_INTEGER : Date.parse(until))

function describeWaitingLead(tenant: Tenant, lead: Lead): WaitingLead {
  const facts = explainFactsOf(tenant, lead)
  const judgement = judge(facts)
  return {
    id: tenant.leads.id(lead.n),
    campaign_id: tenant.campaign(lead.campaign).id,
    name: lead.name,
    phone: lead.phone,
    status: lead.status,
    since: toIso(lead.status === 'queued' ? lead.line_at : lead.updated),
    until: toIsoOrNull(lead.status === 'callback_scheduled' ? lead.callback_at : lead.scheduled_for),
    decides: judgement.decides,
    why: describeReason(facts, judgement),
  }
}
