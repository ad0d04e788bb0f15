/** Who is called next: free lines are given to the first in line, checked once more just before the call. */
import { sampleCallsPerTestKey } from '../../src/contract/limits.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { startOutboundCall } from './calls.js'
import { moveLead, enqueueLead } from './lead-transitions.js'
import { evaluate } from './eligibility.js'

/**
 * What forbids a call at its very moment, in order: what was checked when the lead was accepted is checked again when
 * the line is taken. `then` says what becomes of the lead; where it is missing the lead is judged afresh and waits.
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

/** Gives every free line of a campaign to the first in line (specification, Dialing rules, 8). */
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
 * As `fillLines`, but when all else that is due at this moment has happened: whoever's time comes then is in line by
 * then, and a call_now lead among them is dialed first (specification, Dialing rules, 8).
 */
export function scheduleDialing(organization: Tenant, campaign: number): void {
  const { world, tenant } = organization
  if (world.agenda.next(world.now) === null) return dialFreeLines(organization, campaign)
  world.agenda.ensure(`lines:${tenant}:${campaign}`, world.now, { kind: 'lines', campaign, tenant })
}

/** Test keys that have all the sample calls they can have at once: their leads wait until one ends. */
function busyTestKeys({ live, n, world, calls }: Tenant): number[] {
  if (live) return []
  const keys = world.keys.listByOrganization(n).filter(({ mode }) => mode === 'test')
  return keys.filter((key) => calls.countSampleCalls(key.n) >= sampleCallsPerTestKey).map((key) => key.n)
}
