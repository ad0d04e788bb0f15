/** Samples: envelopes with made-up data, sent to try an endpoint. They are no events of the account. */
import { apiVersion, eventSubjects, type Event, type EventType } from '../../src/contract/events.js'
import type { Call } from '../../src/contract/calls.js'
import type { Lead } from '../../src/contract/leads.js'
import { after, before, days, seconds, toIso, type Instant } from '../kernel/instant.js'
import type { Ids } from '../kernel/ids.js'

const ringSeconds = 6
const talkSeconds = 229
/** From the made-up lead's interest to the person on the call. */
const tth_seconds = 25

const sdr = { id: '7d3f0a52-6c1e-4b8a-9f57-2e1c4d9b8a60', name: 'Sam Sample', role: 'sdr' as const }
const ai = { id: null, name: 'AI agent', role: 'ai' as const }

function sampleLead(ids: Ids, campaign_id: string, now: Instant): Lead {
  return {
    id: ids.uuid('sample/lead', 1),
    external_id: 'sample-1',
    campaign_id,
    name: 'Sample Lead',
    phone: '+15550100001',
    email: 'sample.lead@example.com',
    address: null,
    fields: {},
    consent: null,
    lead_source: 'api',
    owner: null,
    created: toIso(now),
    updated: toIso(now),
    status: 'queued',
    call_now: false,
    place_in_line: 1,
    estimated_wait_seconds: 60,
    scheduled_for: null,
    scheduled_reason: null,
    held_reason: null,
    callback_at: null,
    late: false,
    attempts: 0,
    last_outcome: null,
    last_outcome_label: null,
    next_dial_at: null,
    calls: [],
    livemode: false,
  }
}

function sampleCall(ids: Ids, campaign_id: string, now: Instant): Call {
  const answered = before(now, seconds(talkSeconds))
  return {
    id: ids.uuid('sample/call', 1),
    object: 'call',
    livemode: false,
    lead: { id: ids.uuid('sample/lead', 1), external_id: 'sample-1', name: 'Sample Lead', phone: '+15550100001' },
    campaign_id,
    direction: 'outbound',
    status: 'in_progress',
    outcome: null,
    outcome_label: null,
    note: null,
    duration_seconds: null,
    started: toIso(before(answered, seconds(ringSeconds))),
    answered: toIso(answered),
    ended: null,
    updated: toIso(now),
    handled_by: ai,
    owner: { id: sdr.id, name: sdr.name },
    tth_seconds: null,
    callback_at: null,
    recording_available: false,
    transcript_available: false,
    started_by: { type: 'dialer', api_key_id: null },
  }
}

interface Particulars<T> {
  changes: Partial<T>
  extra?: object
}

type LeadType = { [T in EventType]: (typeof eventSubjects)[T] extends 'lead' ? T : never }[EventType]
type CallType = Exclude<EventType, LeadType>

const outOfLine = { place_in_line: null, estimated_wait_seconds: null }

/** What each type adds to the plain sample lead, and its own fields beside it. */
const ofLead: { [T in LeadType]: (now: Instant) => Particulars<Lead> } = {
  'lead.created': () => ({ changes: {} }),
  'lead.queued': () => ({ changes: {} }),
  'lead.opted_out': () => ({
    changes: { ...outOfLine, status: 'out_of_queue', last_outcome: 'dnc', last_outcome_label: 'Do not call' },
    extra: { opt_out: { source: 'api', reason: null } },
  }),
  'lead.late': () => ({ changes: { call_now: true, late: true }, extra: { late: { waited_seconds: 900, limit_minutes: 15 } } }),
  'callback.booked': (now) => ({
    changes: { ...outOfLine, status: 'on_call', attempts: 1 },
    extra: { callback: { callback_at: toIso(after(now, days(1))), booked_by: ai } },
  }),
}

/** The same for the sample call. */
const ofCall: { [T in CallType]: (now: Instant) => Particulars<Call> } = {
  'call.started': (now) => ({ changes: { status: 'ringing', started: toIso(now), answered: null } }),
  'call.answered': (now) => ({ changes: { answered: toIso(now) } }),
  'lead.interested': (now) => ({ changes: {}, extra: { interest: { at: toIso(now) } } }),
  'voicemail.left': (now) => ({ changes: {}, extra: { voicemail: { left_at: toIso(now) } } }),
  'handover.accepted': (now) => ({
    changes: { handled_by: sdr, tth_seconds },
    extra: { handover: { accepted_at: toIso(now), by: sdr, tth_seconds } },
  }),
  'call.completed': (now) => ({
    changes: {
      status: 'ended',
      ended: toIso(now),
      duration_seconds: talkSeconds,
      outcome: 'interested',
      outcome_label: 'Interested',
      handled_by: sdr,
      tth_seconds,
      transcript_available: true,
    },
    extra: { revision: 1 },
  }),
}

const isAboutLead = (type: EventType): type is LeadType => eventSubjects[type] === 'lead'

/** A real envelope with made-up data: `livemode` false and `sample` true (specification, POST .../test). */
export function sampleEvent(ids: Ids, type: EventType, { id, campaignId, now }: { id: string; campaignId: string; now: Instant }): Event {
  const about = isAboutLead(type)
    ? { part: ofLead[type](now), object: { ...sampleLead(ids, campaignId, now), ...ofLead[type](now).changes } }
    : { part: ofCall[type](now), object: { ...sampleCall(ids, campaignId, now), ...ofCall[type](now).changes } }
  const envelope = {
    id,
    type,
    created: toIso(now),
    livemode: false,
    api_version: apiVersion,
    data: { object: about.object, ...about.part.extra },
    sample: true as const,
  }
  // Each type's object and extras are those of its schema; the compiler cannot follow a type chosen at run time.
  return envelope as Event
}
