/** What is going to happen, and why each waiting lead waits, in plain words. */
import type { Appointment as Shown, WaitingLead } from '../../src/contract/control/agenda.js'
import type { HeldReason, LeadStatus, ScheduledReason } from '../../src/contract/leads.js'
import { zonesOfKey } from '../../src/phone/zones.js'
import { toIso, toIsoOrNull } from '../kernel/instant.js'
import type { Appointment } from '../world/agenda.js'
import type { Heard } from '../world/heard.js'
import { modes } from '../world/key.js'
import type { Lead } from '../world/lead.js'
import { tenantOf } from '../world/organization.js'
import type { Task, TaskKind, TaskOf } from '../world/task.js'
import type { Organization, World } from '../world/world.js'
import { hoursOf } from './standing.js'
import { placeInLine } from './wire.js'

type About = Pick<Shown, 'subject' | 'what'>

const called = ({ name, phone }: Pick<Lead, 'name' | 'phone'>): string => name ?? phone

const inZones = (zone: string): string => zonesOfKey(zone).join(' and ')

/** What waiting for its time ends with. */
const dueWords: Readonly<Record<ScheduledReason | 'callback', string>> = {
  retry_after_outcome: 'is tried again',
  recent_contact_cooldown: 'may be called again: the cooldown of the number is over',
  next_dial_time: 'is called at the time that was set',
  outside_calling_hours: 'is called when the calling hours open',
  callback: 'is called back, as booked',
}

const heardWords: { [K in Heard['what']]: (heard: Extract<Heard, { what: K }>) => string } = {
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
    const { leads } = world.organization(tenant)
    const lead = leads.get(n)
    const why = lead.status === 'callback_scheduled' ? 'callback' : (lead.scheduled_reason ?? 'next_dial_time')
    return { subject: leads.id(n), what: `${called(lead)} ${dueWords[why]}.` }
  },
  'lead.late': (world, { lead: n, tenant }) => {
    const { leads } = world.organization(tenant)
    return {
      subject: leads.id(n),
      what: `${called(leads.get(n))}, to be called now, is late if nobody has called by then.`,
    }
  },
  hours: (world, { campaign: n, zone }) => {
    const campaign = world.campaigns.get(n)
    const turn = hoursOf(campaign, zone)?.isOpen(world.now) === true ? 'close' : 'open'
    return { subject: campaign.id, what: `The calling hours of ${campaign.name} ${turn} in ${inZones(zone)}.` }
  },
  lines: (world, { campaign: n }) => {
    const campaign = world.campaigns.get(n)
    return { subject: campaign.id, what: `Free lines of ${campaign.name} go to the first in line.` }
  },
  'call.beat': (world, { call: n, beat, tenant }) => {
    const organization = world.organization(tenant)
    const call = organization.calls.get(n)
    const who = call.lead === null ? call.phone : called(organization.leads.get(call.lead))
    const heard = world.carrier.comes(organization, call, beat)
    const say = heardWords[heard.what] as (heard: Heard) => string
    return {
      subject: organization.calls.id(n),
      what: `The call ${call.direction === 'inbound' ? 'from' : 'to'} ${who}: ${say(heard)}.`,
    }
  },
  'delivery.attempt': (world, { delivery: n, tenant }) => {
    const { deliveries, endpoints } = world.organization(tenant)
    const delivery = deliveries.get(n)
    const url = delivery && endpoints.get(delivery.endpoint)?.url
    const what = url
      ? `Try ${delivery.attempts + 1} to bring ${delivery.event_type} to ${url}.`
      : 'Nothing: its endpoint is gone.'
    return { subject: deliveries.id(n), what }
  },
  retention: () => ({ subject: null, what: 'What is older than its time is deleted.' }),
}

export function appointmentInWords(world: World, { at, task }: Appointment): Shown {
  const say = tasks[task.kind] as (world: World, task: Task) => About
  return { at: toIso(at), kind: task.kind, ...say(world, task) }
}

const heldWords: Readonly<Record<HeldReason, string>> = {
  campaign_not_started: 'The campaign has not been started.',
  campaign_paused: 'The campaign is paused.',
  spend_cap_reached: 'The campaign has spent what it may.',
}

const scheduledWords: Readonly<Record<ScheduledReason, (lead: Lead) => string>> = {
  outside_calling_hours: ({ zone, scheduled_for }) =>
    scheduled_for === null
      ? `The calling hours never open in ${inZones(zone)}.`
      : `It is outside the calling hours in ${inZones(zone)}.`,
  recent_contact_cooldown: () => 'Another campaign, or a call that came in, reached the number in the last 24 hours.',
  retry_after_outcome: ({ last_outcome, attempts }) =>
    `Call ${attempts} ended with ${last_outcome ?? 'nothing'}; it is to be tried again.`,
  next_dial_time: () => 'The time of the next call was set.',
}

function whyItWaits(organization: Organization, lead: Lead): string {
  if (lead.status === 'callback_scheduled') return 'A callback is booked.'
  if (lead.held_reason) return heldWords[lead.held_reason]
  if (lead.scheduled_reason) return scheduledWords[lead.scheduled_reason](lead)
  const { lines } = organization.campaign(lead.campaign)
  const place = placeInLine(organization, lead).place_in_line
  return lines === 0
    ? 'The campaign has no phone line.'
    : `It is number ${place} in line, and all ${lines} lines are busy.`
}

const waiting: readonly LeadStatus[] = ['queued', 'scheduled', 'callback_scheduled', 'held']

/** At most so many leads that wait, of every organization. */
export function waitingLeads(world: World, limit: number): WaitingLead[] {
  const tenants = world.organizations
    .all()
    .flatMap(({ n }) => modes.map((mode) => world.organization(tenantOf(n, mode))))
  const found: WaitingLead[] = []
  for (const organization of tenants) {
    for (const status of waiting) {
      const filter = { campaigns: null, status }
      const leads = organization.leads.page(filter, null, limit - found.length)
      found.push(...leads.reverse().map((lead) => waitingLead(organization, lead)))
      if (found.length >= limit) return found
    }
  }
  return found
}

function waitingLead(organization: Organization, lead: Lead): WaitingLead {
  return {
    id: organization.leads.id(lead.n),
    campaign_id: organization.campaign(lead.campaign).id,
    phone: lead.phone,
    status: lead.status,
    since: toIso(lead.status === 'queued' ? lead.line_at : lead.updated),
    until: toIsoOrNull(lead.status === 'callback_scheduled' ? lead.callback_at : lead.scheduled_for),
    why: whyItWaits(organization, lead),
  }
}
