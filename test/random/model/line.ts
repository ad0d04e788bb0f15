/** A second implementation of the dialing order (rule D8). */
import { campaignOf, isLive, type Mirror, type SeenLead } from './mirror.js'

const samplesPerTestKey = 20

/** call_now leads first, by when they became call_now. Then the others by due time, then by arrival. */
function compare(a: SeenLead, b: SeenLead): number {
  if (a.callNow !== b.callNow) return a.callNow ? -1 : 1
  const since = a.callNow ? a.arrived - b.arrived : a.due - b.due
  return since === 0 ? a.turn - b.turn : since
}

/** The next lead first. */
export function lineOf({ leads }: Mirror, tenant: string, campaign: string): SeenLead[] {
  const inLine = (lead: SeenLead) => lead.status === 'queued' && lead.tenant === tenant && lead.campaign === campaign
  return [...leads.values()].filter(inLine).sort(compare)
}

/** Test keys with the maximum of sample calls (rule T3). Their leads wait. */
export function fullKeys({ calls }: Mirror): Set<string> {
  const samples = new Map<string, number>()
  for (const { key, status, tenant, direction } of calls.values()) {
    if (key !== null && status !== 'ended' && direction === 'outbound' && !isLive(tenant))
      samples.set(key, (samples.get(key) ?? 0) + 1)
  }
  return new Set([...samples].filter(([, count]) => count >= samplesPerTestKey).map(([key]) => key))
}

/** The leads of the queue that can be dialed now. */
export function dialable(mirror: Mirror, line: readonly SeenLead[]): SeenLead[] {
  const full = fullKeys(mirror)
  return line.filter(({ key, tenant }) => isLive(tenant) || key === null || !full.has(key))
}

/** A call_now lead becomes late after the limit (rule D10). */
export function expectLate(mirror: Mirror, lead: SeenLead, at: number): void {
  lead.lateLimit = campaignOf(mirror, lead.campaign).late_after_minutes
  lead.lateAt = at + lead.lateLimit * 60_000
}
