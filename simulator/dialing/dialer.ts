/** The dialer: gives free lines to the first leads in the queue and checks each lead again just before its call. */
import { sampleCallsPerTestKey } from '../../src/contract/limits.js'
import { decide } from '../../src/dialing/eligibility.js'
import type { Tenant } from '../model/world.js'
import { startOutboundCall } from './calls.js'
import { applyEligibility, moveLead } from './lead-transitions.js'
import { LeadFacts } from './facts.js'

/** Gives every free line of a campaign to the first lead in its queue (rule D8). */
export function dialFreeLines(tenant: Tenant, campaignNumber: number): void {
  const campaign = tenant.campaign(campaignNumber)
  while (tenant.queues.of(campaign.n).busy < campaign.lines) {
    const lead = tenant.leads.queue.first(campaign.n, busyTestKeys(tenant))
    if (!lead) return
    const decision = decide(new LeadFacts(tenant, campaign, lead))
    const { status } = decision
    if (status === 'queued') startOutboundCall(tenant, campaign, lead)
    else if (status === 'out_of_queue' || status === 'done') moveLead(tenant, lead, status)
    else applyEligibility(tenant, campaign, lead, decision)
  }
}

/**
 * Like `dialFreeLines`, but after everything else that is due at this moment. Leads that become due now are queued
 * first, so a call_now lead among them is dialed first (rule D8).
 */
export function scheduleDialing(tenant: Tenant, campaign: number): void {
  const { world } = tenant
  if (world.agenda.next(world.now) === null) return dialFreeLines(tenant, campaign)
  world.agenda.ensure(`lines:${tenant.n}:${campaign}`, world.now, { kind: 'lines', campaign, tenant: tenant.n })
}

/** Test keys at their limit of sample calls. Their leads wait until a call ends (rule T3). */
function busyTestKeys({ live, organizationNumber: n, world, calls }: Tenant): number[] {
  if (live) return []
  const keys = world.keys.listByOrganization(n).filter(({ mode }) => mode === 'test')
  return keys.filter((key) => calls.countSampleCalls(key.n) >= sampleCallsPerTestKey).map((key) => key.n)
}
