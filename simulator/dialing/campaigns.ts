/** Changes a campaign, and re-evaluates its waiting leads where the change affects them. */
import { holdReason } from '../../src/dialing/eligibility.js'
import { modes } from '../model/api-key.js'
import type { Campaign } from '../model/campaign.js'
import { tenantNumberOf } from '../model/organization.js'
import type { World } from '../model/world.js'
import { dialFreeLines } from './dialer.js'
import { beginHold, changeLateLimit, finishWaiting, reevaluateWaiting } from './waiting-groups.js'

export type CampaignChanges = Partial<Omit<Campaign, 'n' | 'id' | 'organization' | 'created' | 'updated' | 'spent_usd'>>

/**
 * Changes a campaign, then updates its waiting leads in both modes: a hold begins or lifts, hours or the late limit
 * change, or the campaign is completed (rule D12).
 */
export function changeCampaign(world: World, campaign: Campaign, changes: CampaignChanges): void {
  const heldBefore = holdReason(campaign)
  const lateBefore = campaign.late_after_minutes
  world.campaigns.change(campaign, { ...changes, updated: world.now })
  const held = holdReason(campaign)
  const newHours = 'calling_hours' in changes || 'any_hour' in changes
  for (const mode of modes) {
    const tenant = world.tenant(tenantNumberOf(campaign.organization, mode))
    if (campaign.late_after_minutes !== lateBefore) changeLateLimit(tenant, campaign, lateBefore)
    if (campaign.status === 'completed') finishWaiting(tenant, campaign)
    else if (held !== null && heldBefore === null) beginHold(tenant, campaign)
    else if (held !== heldBefore) reevaluateWaiting(tenant, campaign, 'held')
    if (newHours) reevaluateWaiting(tenant, campaign, 'queued', 'scheduled')
    if (held === null && campaign.status !== 'completed') dialFreeLines(tenant, campaign.n)
  }
}
