/** The line of a campaign: who is dialed before whom (specification, Dialing rules, 8). */
import { campaignOf, isLive, type Mirror, type SeenLead } from './mirror.js'

const samplesPerTestKey = 20

/** call_now leads first, by when they became so; then the others by when they became due; who came first after that. */
function compare(a: SeenLead, b: SeenLead): number {
  if (a.callNow !== b.callNow) return a.callNow ? -1 : 1
  const since = a.callNow ? a.arrived - b.arrived : a.due - b.due
  return since === 0 ? a.turn - b.turn : since
}

/** The next one first. */
export function lineOf({ leads }: Mirror, tenant: string, campaign: string): SeenLead[] {
  const inLine = (lead: SeenLead) => lead.status === 'queued' && lead.tenant === tenant && lead.campaign === campaign
  return [...leads.values()].filter(inLine).sort(compare)
}

/** Test keys with all the sample calls they can have at once: their leads wait. */
export function fullKeys({ calls }: Mirror): Set<string> {
  const samples = new Map<string, number>()
  for (const { key, status, tenant, direction } of calls.values()) {
    if (key !== null && status !== 'ended' && direction === 'outbound' && !isLive(tenant))
      samples.set(key, (samples.get(key) ?? 0) + 1)
  }
  return new Set([...samples].filter(([, count]) => count >= samplesPerTestKey).map(([key]) => key))
}

/** Those of a line that can be dialed at all. */
export function dialable(mirror: Mirror, line: readonly SeenLead[]): SeenLead[] {
  const full = fullKeys(mirror)
  return line.filter(({ key, tenant }) => isLive(tenant) || key === null || !full.has(key))
}

/** A call_now lead is late when it has been in line so long (specification, Dialing rules, 10). */
export function expectLate(mirror: Mirror, lead: SeenLead, at: number): void {
  lead.lateLimit = campaignOf(mirror, lead.campaign).late_after_minutes
  lead.lateAt = at + lead.lateLimit * 60_000
}
