/** Serializes calls as replies and events show them. */
import { recordingRetentionDays } from '../../../src/contract/limits.js'
import { after, days, toIso, type Instant } from '../../kernel/instant.js'
import type { Call } from '../call.js'
import type { Tenant } from '../world.js'

export function hasRecording(tenant: Tenant, call: Call): boolean {
  if (call.answered === null || call.ended === null) return false
  return tenant.record.recording && tenant.world.now < after(call.ended, days(recordingRetentionDays))
}

type Talk = Pick<Call, 'answered' | 'ended'>

export const hasTranscript = ({ answered, ended }: Talk): boolean => answered !== null && ended !== null

export const talkSeconds = ({ answered, ended }: Talk): number | null =>
  ended === null ? null : answered === null ? 0 : Math.round((ended - answered) / 1000)

/** Builds the call object of replies and events. */
export function serializeCall(tenant: Tenant, call: Call) {
  const { calls, leads, world, live } = tenant
  const { handler_role, interested_at, handed_over_at } = call
  const lead = call.lead === null ? null : leads.get(call.lead)
  const handler = personOf(tenant, call.handler)
  return {
    id: calls.id(call.n),
    object: 'call' as const,
    livemode: live,
    lead: lead && { id: leads.id(lead.n), external_id: lead.external_id, name: lead.name, phone: lead.phone },
    campaign_id: call.campaign === null ? null : world.campaigns.get(call.campaign).id,
    direction: call.direction,
    status: call.status,
    outcome: call.outcome,
    outcome_label: call.outcome_label,
    note: call.note,
    duration_seconds: talkSeconds(call),
    started: toIso(call.started),
    answered: isoOrNull(call.answered),
    ended: isoOrNull(call.ended),
    updated: toIso(call.updated),
    handled_by: {
      // Only an SDR has an id here, not the AI or a closer.
      id: handler_role === 'sdr' ? (handler?.id ?? null) : null,
      name: handler?.name ?? 'AI agent',
      role: handler_role,
    },
    owner: personOf(tenant, call.owner),
    // Zero if the person was on the call before the lead showed interest.
    tth_seconds:
      interested_at !== null && handed_over_at !== null ? Math.max(0, handed_over_at - interested_at) / 1000 : null,
    callback_at: isoOrNull(call.callback_at),
    recording_available: hasRecording(tenant, call),
    transcript_available: hasTranscript(call),
    started_by: { type: call.started_by, api_key_id: call.api_key },
  }
}

const isoOrNull = (at: Instant | null) => (at === null ? null : toIso(at))

function personOf(tenant: Tenant, n: number | null): { id: string; name: string } | null {
  const member = n === null ? undefined : tenant.member(n)
  return member ? { id: member.id, name: member.name } : null
}
