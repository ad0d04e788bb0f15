/**
 * Serializes calls. `CallFacts` holds what is true of a call at one moment; replies and events are built from it later.
 */
import type { Outcome } from '../../../src/contract/base/outcomes.js'
import { recordingRetentionDays } from '../../../src/contract/limits.js'
import { after, days, instant, toIso, type Instant } from '../../kernel/instant.js'
import type { Call, CallStatus } from '../call.js'
import type { Member, MemberRole } from '../member.js'
import type { Tenant } from '../world.js'

/** A member's id and name. */
type Person = readonly [id: string, name: string]

/** Values in storage order; new ones go at the end. Times are milliseconds relative to the event's time, or to 1970. */
export type CallFacts = readonly [
  n: number,
  lead: readonly [n: number, external_id: string | null, name: string | null, phone: string] | null,
  campaign: number | null,
  direction: Call['direction'],
  status: CallStatus,
  outcome: Outcome | null,
  outcome_label: string | null,
  note: string | null,
  started: number,
  answered: number | null,
  ended: number | null,
  updated: number,
  handler: Person | null,
  handler_role: MemberRole | 'ai',
  owner: Person | null,
  interested_at: number | null,
  handed_over_at: number | null,
  callback_at: number | null,
  recording: 0 | 1,
  started_by: Call['started_by'],
  api_key: string | null,
  revision: number,
]

export function captureCallFacts(organization: Tenant, call: Call, eventTime = epoch): CallFacts {
  const lead = call.lead === null ? null : organization.leads.get(call.lead)
  return [
    call.n,
    lead && [lead.n, lead.external_id, lead.name, lead.phone],
    call.campaign,
    call.direction,
    call.status,
    call.outcome,
    call.outcome_label,
    call.note,
    call.started - eventTime,
    offsetFrom(eventTime, call.answered),
    offsetFrom(eventTime, call.ended),
    call.updated - eventTime,
    personOf(organization, call.handler),
    call.handler_role,
    personOf(organization, call.owner),
    offsetFrom(eventTime, call.interested_at),
    offsetFrom(eventTime, call.handed_over_at),
    offsetFrom(eventTime, call.callback_at),
    hasRecording(organization, call) ? 1 : 0,
    call.started_by,
    call.api_key,
    call.revision,
  ]
}

const epoch = instant(0)
const offsetFrom = (from: Instant, at: Instant | null) => (at === null ? null : at - from)

/** Each member's id and name is built once. */
const persons = new WeakMap<Member, Person>()

function personOf(organization: Tenant, n: number | null): Person | null {
  const member = n === null ? undefined : organization.member(n)
  if (!member) return null
  let written = persons.get(member)
  if (!written) persons.set(member, (written = [member.id, member.name]))
  return written
}

export function hasRecording(organization: Tenant, call: Call): boolean {
  if (call.answered === null || call.ended === null) return false
  return organization.record.recording && organization.world.now < after(call.ended, days(recordingRetentionDays))
}

/** When a call was answered and ended, relative to any moment. */
interface Talk {
  answered: number | null
  ended: number | null
}

export const hasTranscript = ({ answered, ended }: Talk): boolean => answered !== null && ended !== null

export const talkSeconds = ({ answered, ended }: Talk): number | null =>
  ended === null ? null : answered === null ? 0 : Math.round((ended - answered) / 1000)

export const serializeCall = (organization: Tenant, call: Call) =>
  serializeCallFacts(organization, captureCallFacts(organization, call))

/** Builds the call object of replies and events. */
export function serializeCallFacts(
  { calls, leads, world, live }: Tenant,
  [
    n,
    lead,
    campaign,
    direction,
    status,
    outcome,
    outcome_label,
    note,
    started,
    answered,
    ended,
    updated,
    handler,
    handler_role,
    owner,
    interested_at,
    handed_over_at,
    callback_at,
    recording,
    started_by,
    api_key,
  ]: CallFacts,
  eventTime = epoch,
) {
  const iso = (at: number) => toIso(instant(eventTime + at))
  const isoOrNull = (at: number | null) => (at === null ? null : iso(at))
  return {
    id: calls.id(n),
    object: 'call' as const,
    livemode: live,
    lead: lead && { id: leads.id(lead[0]), external_id: lead[1], name: lead[2], phone: lead[3] },
    campaign_id: campaign === null ? null : world.campaigns.get(campaign).id,
    direction,
    status,
    outcome,
    outcome_label,
    note,
    duration_seconds: talkSeconds({ answered, ended }),
    started: iso(started),
    answered: isoOrNull(answered),
    ended: isoOrNull(ended),
    updated: iso(updated),
    handled_by: {
      // Only an SDR has an id here, not the AI or a closer.
      id: handler_role === 'sdr' ? (handler?.[0] ?? null) : null,
      name: handler?.[1] ?? 'AI agent',
      role: handler_role,
    },
    owner: owner && { id: owner[0], name: owner[1] },
    // Zero if the person was on the call before the lead showed interest.
    tth_seconds:
      interested_at !== null && handed_over_at !== null ? Math.max(0, handed_over_at - interested_at) / 1000 : null,
    callback_at: isoOrNull(callback_at),
    recording_available: recording === 1,
    transcript_available: hasTranscript({ answered, ended }),
    started_by: { type: started_by, api_key_id: api_key },
  }
}
