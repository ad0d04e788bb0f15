/** The dialer: gives free lines to the first leads in the queue and checks each lead again just before its call. */
import { sampleCallsPerTestKey } from '../../src/contract/limits.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { startOutboundCall } from './calls.js'
import { moveLead, enqueueLead } from './lead-transitions.js'
import { evaluate } from './eligibility.js'

/**
 * Checks just before a call, in order. They repeat the checks on arrival (rules D5, D14 and D1). `then` is the status
 * of a lead that fails. Without `then`, the lead is evaluated again and waits.
 */
export const checksBeforeCall = [
  { name: 'on_dnc_list', forbids: ({ organization, lead }) => organization.dnc.has(lead.phone), then: 'out_of_queue' },
  {
    name: 'number_retired',
    forbids: ({ organization, lead }) => organization.numbers.isRetired(lead.campaign, lead.phone),
    then: 'done',
  },
  {
    name: 'standing',
    forbids: ({ organization, campaign, lead }) => evaluate(organization, campaign, lead).status !== 'queued',
  },
] as const satisfies readonly CheckBeforeCall[]

interface CheckBeforeCall {
  name: string
  forbids: (about: { organization: Tenant; campaign: Campaign; lead: Lead }) => boolean
  then?: 'out_of_queue' | 'done'
}

/** Gives every free line of a campaign to the first lead in its queue (rule D8). */
export function dialFreeLines(organization: Tenant, campaignNumber: number): void {
  const campaign = organization.campaign(campaignNumber)
  while (organization.queues.of(campaign.n).busy < campaign.lines) {
    const lead = organization.leads.firstInQueue(campaign.n, busyTestKeys(organization))
    if (!lead) return
    const forbidden = checksBeforeCall.find((check) => check.forbids({ organization, campaign, lead }))
    if (!forbidden) startOutboundCall(organization, campaign, lead)
    else if ('then' in forbidden) moveLead(organization, lead, forbidden.then)
    else enqueueLead(organization, campaign, lead)
  }
}

/**
 * Like `dialFreeLines`, but after everything else that is due at this moment. Leads that become due now are queued
 * first, so a call_now lead among them is dialed first (rule D8).
 */
export function scheduleDialing(organization: Tenant, campaign: number): void {
  const { world, tenant } = organization
  if (world.agenda.next(world.now) === null) return dialFreeLines(organization, campaign)
  world.agenda.ensure(`lines:${tenant}:${campaign}`, world.now, { kind: 'lines', campaign, tenant })
}

/** Test keys at their limit of sample calls. Their leads wait until a call ends (rule T3). */
function busyTestKeys({ live, n, world, calls }: Tenant): number[] {
  if (live) return []
  const keys = world.keys.listByOrganization(n).filter(({ mode }) => mode === 'test')
  return keys.filter((key) => calls.countSampleCalls(key.n) >= sampleCallsPerTestKey).map((key) => key.n)
}
