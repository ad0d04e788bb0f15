/** Holds: why a campaign does not dial, in order of precedence (rule D12). */
import type { Campaign } from '../model/campaign.js'
import type { HeldReason } from '../../src/contract/leads.js'

const holds: readonly { reason: HeldReason; holds: (campaign: Campaign) => boolean }[] = [
  { reason: 'campaign_not_started', holds: ({ status }) => status === 'not_started' },
  { reason: 'campaign_paused', holds: ({ status }) => status === 'paused' },
  {
    reason: 'spend_cap_reached',
    holds: ({ spend_cap_usd, spent_usd }) => spend_cap_usd !== null && spent_usd >= spend_cap_usd,
  },
]

export function holdReason(campaign: Campaign): HeldReason | null {
  return holds.find((hold) => hold.holds(campaign))?.reason ?? null
}
