/**
 * A call in facts and in words. The facts are what a moment knows of it and a later one may not; the words, as replies
 * and events give them, follow from the facts alone, whenever they are asked for.
 */
import type { Outcome } from '../../../src/contract/base/outcomes.js'
import { recordingRetentionDays } from '../../../src/contract/limits.js'
import { after, days, instant, toIso, type Instant } from '../../kernel/instant.js'
import type { Call, CallStatus } from '../call.js'
import type { Member, MemberRole } from '../member.js'
import type { Organization } from '../world.js'

/** A member's id and name. */
type Person = readonly [id: string, name: string]

/**
 * In the order in which they are stored: a further one goes to the end. Moments are milliseconds since the one that
 * they are told at, small numbers mostly below zero; or since 1970.
 */
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

export function factsOf(organization: Organization, call: Call, toldAt = epoch): CallFacts {
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
    call.started - toldAt,
    since(toldAt, call.answered),
    since(toldAt, call.ended),
    call.updated - toldAt,
    person(organization, call.handler),
    call.handler_role,
    person(organization, call.owner),
    since(toldAt, call.interested_at),
    since(toldAt, call.handed_over_at),
    since(toldAt, call.callback_at),
    recordingIsThere(organization, call) ? 1 : 0,
    call.started_by,
    call.api_key,
    call.revision,
  ]
}

const epoch = instant(0)
const since = (from: Instant, at: Instant | null) => (at === null ? null : at - from)

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

/** When it was answered and when it ended, counted from whenever. */
interface Talk {
  answered: number | null
  ended: number | null
}

export const transcriptIsThere = ({ answered, ended }: Talk): boolean => answered !== null && ended !== null

export const durationSeconds = ({ answered, ended }: Talk): number | null =>
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
  toldAt = epoch,
) {
  const iso = (at: number) => toIso(instant(toldAt + at))
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
    duration_seconds: durationSeconds({ answered, ended }),
    started: iso(started),
    answered: isoOrNull(answered),
    ended: isoOrNull(ended),
    updated: iso(updated),
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
    callback_at: isoOrNull(callback_at),
    recording_available: recording === 1,
    transcript_available: transcriptIsThere({ answered, ended }),
    started_by: { type: started_by, api_key_id: api_key },
  }
}
