/** Reads the facts for the explanation of one lead from the world. */
import type { ExplainFacts } from '../../src/dialing/explain-facts.js'
import type { CallingHours } from '../../src/contract/base/calling-hours.js'
import { sampleCallsPerTestKey } from '../../src/contract/limits.js'
import { instant, type Instant } from '../kernel/instant.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { LeadFacts } from './facts.js'
import { countAheadAtOpening } from './leads-ahead.js'
import { lateAppointmentOf } from './lead-transitions.js'

export interface WhatIf {
  /** The moment that is asked about; now if left out. */
  at?: Instant | undefined
  /** Calling hours instead of those of the campaign. */
  campaignHours?: CallingHours | undefined
}

export function explainFactsOf(tenant: Tenant, lead: Lead, { at, campaignHours }: WhatIf = {}): ExplainFacts {
  const { world, leads, queues } = tenant
  const settings = tenant.campaign(lead.campaign)
  const campaign = campaignHours ? { ...settings, calling_hours: campaignHours, any_hour: false } : settings
  const facts = new LeadFacts(tenant, campaign, lead, at)
  const isQueued = lead.status === 'queued'
  return {
    now: facts.now,
    present: world.now,
    lead: { ...lead, id: leads.id(lead.n), call_now: lead.call_now === 1, late: lead.late === 1 },
    campaign_id: campaign.id,
    campaign,
    lastReached: facts.lastReached,
    isListed: facts.isListed,
    isRetired: facts.isRetired,
    isTakenOut: lead.taken_out === 1,
    lines: {
      busy: queues.of(campaign.n).busy,
      ahead: isQueued ? leads.queue.countAhead(lead) : undefined,
      isKeyBusy: isKeyBusy(tenant, lead),
      // Other leads wait for the real hours of the campaign.
      ...(!campaignHours && { countAheadAt: (at) => countAheadAtOpening(tenant, settings, lead, instant(at)) }),
    },
    lateAt: isQueued ? (world.agenda.at(lateAppointmentOf(lead)) ?? undefined) : undefined,
  }
}

/** Whether the test key of the lead is at its limit of sample calls (rule T3). */
const isKeyBusy = ({ live, calls }: Tenant, { key }: Lead): boolean =>
  !live && key !== null && calls.countSampleCalls(key) >= sampleCallsPerTestKey
