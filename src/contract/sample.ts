/** Sample events with made-up data for testing a receiver (rule W11). They are never stored as events. */
import type { Call } from './calls.js'
import { apiVersion, eventSubjects, type Event, type EventType } from './events.js'
import type { Lead } from './leads.js'

/** The id and time of a sample. */
export interface SampleSubject {
  /** `evt_...` */
  id: string
  leadId: string
  callId: string
  campaignId: string
  /** Milliseconds since the epoch. */
  at: number
}

const ringSeconds = 6
const talkSeconds = 229
/** "Time to human": seconds from the lead's interest to a person on the call. */
const tth_seconds = 25

const sdr = { id: '7d3f0a52-6c1e-4b8a-9f57-2e1c4d9b8a60', name: 'Sam Sample', role: 'sdr' as const }
const ai = { id: null, name: 'AI agent', role: 'ai' as const }

const dayMs = 86_400_000
const isoTime = (ms: number): string => new Date(ms).toISOString()

function sampleLead({ leadId, campaignId, at }: SampleSubject): Lead {
  return {
    id: leadId,
    external_id: 'sample-1',
    campaign_id: campaignId,
    name: 'Sample Lead',
    phone: '+15550100001',
    email: 'sample.lead@example.com',
    address: null,
    fields: {},
    consent: null,
    lead_source: 'api',
    owner: null,
    created: isoTime(at),
    updated: isoTime(at),
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

function sampleCall({ callId, leadId, campaignId, at }: SampleSubject): Call {
  const answered = at - talkSeconds * 1000
  return {
    id: callId,
    object: 'call',
    livemode: false,
    lead: { id: leadId, external_id: 'sample-1', name: 'Sample Lead', phone: '+15550100001' },
    campaign_id: campaignId,
    direction: 'outbound',
    status: 'in_progress',
    outcome: null,
    outcome_label: null,
    note: null,
    duration_seconds: null,
    started: isoTime(answered - ringSeconds * 1000),
    answered: isoTime(answered),
    ended: null,
    updated: isoTime(at),
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

/** What each type changes in the sample lead, and its extra fields. */
const ofLead: { [T in LeadType]: (at: number) => Particulars<Lead> } = {
  'lead.created': () => ({ changes: {} }),
  'lead.queued': () => ({ changes: {} }),
  'lead.opted_out': () => ({
    changes: { ...outOfLine, status: 'out_of_queue', last_outcome: 'dnc', last_outcome_label: 'Do not call' },
    extra: { opt_out: { source: 'api', reason: null } },
  }),
  'lead.late': () => ({
    changes: { call_now: true, late: true },
    extra: { late: { waited_seconds: 900, limit_minutes: 15 } },
  }),
  'callback.booked': (at) => ({
    changes: { ...outOfLine, status: 'on_call', attempts: 1 },
    extra: { callback: { callback_at: isoTime(at + dayMs), booked_by: ai } },
  }),
}

/** What each type changes in the sample call, and its extra fields. */
const ofCall: { [T in CallType]: (at: number) => Particulars<Call> } = {
  'call.started': (at) => ({ changes: { status: 'ringing', started: isoTime(at), answered: null } }),
  'call.answered': (at) => ({ changes: { answered: isoTime(at) } }),
  'lead.interested': (at) => ({ changes: {}, extra: { interest: { at: isoTime(at) } } }),
  'voicemail.left': (at) => ({ changes: {}, extra: { voicemail: { left_at: isoTime(at) } } }),
  'handover.accepted': (at) => ({
    changes: { handled_by: sdr, tth_seconds },
    extra: { handover: { accepted_at: isoTime(at), by: sdr, tth_seconds } },
  }),
  'call.completed': (at) => ({
    changes: {
      status: 'ended',
      ended: isoTime(at),
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

/** An event envelope with `livemode` false and `sample` true. */
export function sampleEvent(type: EventType, subject: SampleSubject): Event {
  const { id, at } = subject
  const about = isAboutLead(type)
    ? { part: ofLead[type](at), object: { ...sampleLead(subject), ...ofLead[type](at).changes } }
    : { part: ofCall[type](at), object: { ...sampleCall(subject), ...ofCall[type](at).changes } }
  const envelope = {
    id,
    type,
    created: isoTime(at),
    livemode: false,
    api_version: apiVersion,
    data: { object: about.object, ...about.part.extra },
    sample: true as const,
  }
  // The table's types guarantee this; the compiler cannot follow a type that is chosen at run time.
  return envelope as Event
}
