/**
 * A call in facts and in words. The facts are what a moment knows of it and a later one may not; the words, as replies
 * and events give them, follow from the facts alone, whenever they are asked for.
 */
import type { Outcome } from '../../src/contract/outcomes.js'
import { recordingRetentionDays } from '../../src/contract/limits.js'
import { after, days, toIso, toIsoOrNull, type Instant } from '../kernel/instant.js'
import type { Call, CallStatus } from '../world/call.js'
import type { Member, MemberRole } from '../world/member.js'
import type { Organization } from '../world/world.js'

/** A member's id and name. */
type Person = readonly [id: string, name: string]

/** In the order in which they are stored: a further one goes to the end. */
export type CallFacts = readonly [
  n: number,
  lead: readonly [n: number, external_id: string | null, name: string | null, phone: string] | null,
  campaign: number | null,
  direction: Call['direction'],
  status: CallStatus,
  outcome: Outcome | null,
  outcome_label: string | null,
  note: string | null,
  started: Instant,
  answered: Instant | null,
  ended: Instant | null,
  updated: Instant,
  handler: Person | null,
  handler_role: MemberRole | 'ai',
  owner: Person | null,
  interested_at: Instant | null,
  handed_over_at: Instant | null,
  callback_at: Instant | null,
  recording: 0 | 1,
  started_by: Call['started_by'],
  api_key: string | null,
  revision: number,
]

export function factsOf(organization: Organization, call: Call): CallFacts {
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
    call.started,
    call.answered,
    call.ended,
    call.updated,
    person(organization, call.handler),
    call.handler_role,
    person(organization, call.owner),
    call.interested_at,
    call.handed_over_at,
    call.callback_at,
    recordingIsThere(organization, call) ? 1 : 0,
    call.started_by,
    call.api_key,
    call.revision,
  ]
}

/** Of those who are at work, each is written once. */
const persons = new WeakMap<Member, Person>()

function person(organization: Organization, n: number | null): Person | null {
  const member = n === null ? undefined : organization.member(n)
  if (!member) return null
  let written = persons.get(member)
  if (!written) persons.set(member, (written = [member.id, member.name]))
  return written
}

export function recordingIsThere(organization: Organization, call: Call): boolean {
  if (call.answered === null || call.ended === null) return false
  return organization.record.recording && organization.world.now < after(call.ended, days(recordingRetentionDays))
}

export const transcriptIsThere = ({ answered, ended }: Pick<Call, 'answered' | 'ended'>): boolean =>
  answered !== null && ended !== null

export const durationSeconds = ({ answered, ended }: Pick<Call, 'answered' | 'ended'>): number | null =>
  ended === null ? null : answered === null ? 0 : Math.round((ended - answered) / 1000)

export const callOnWire = (organization: Organization, call: Call) =>
  callInWords(organization, factsOf(organization, call))

/** The same for a reply and for the object inside an event. */
export function callInWords(
  { calls, leads, world, live }: Organization,
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
) {
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
    duration_seconds: durationSeconds({ answered, ended }),
    started: toIso(started),
    answered: toIsoOrNull(answered),
    ended: toIsoOrNull(ended),
    updated: toIso(updated),
    handled_by: {
      // Neither the AI nor a closer has an id here (specification, Call, handled_by).
      id: handler_role === 'sdr' ? (handler?.[0] ?? null) : null,
      name: handler?.[1] ?? 'AI agent',
      role: handler_role,
    },
    owner: owner && { id: owner[0], name: owner[1] },
    // Nobody waits for a person who is on the call already when the intent shows.
    tth_seconds:
      interested_at !== null && handed_over_at !== null ? Math.max(0, handed_over_at - interested_at) / 1000 : null,
    callback_at: toIsoOrNull(callback_at),
    recording_available: recording === 1,
    transcript_available: transcriptIsThere({ answered, ended }),
    started_by: { type: started_by, api_key_id: api_key },
  }
}
