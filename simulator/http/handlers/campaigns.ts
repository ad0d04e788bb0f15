/** Serves the campaigns: read, started, paused. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { changeCampaign } from '../../dialing/campaigns.js'
import { campaignOnWire } from '../../model/serialize/resources.js'
import type { CampaignStatus } from '../../model/campaign.js'
import type { Caller } from '../principal.js'
import { cursorNumber } from '../cursor.js'
import { ok, pageOf, type Handlers } from '../handler.js'

export const campaignHandlers: Pick<Handlers, 'listCampaigns' | 'getCampaign' | 'startCampaign' | 'pauseCampaign'> = {
  listCampaigns: (caller, { query }) => {
    const seen = caller.world.campaigns.of(caller.organization.n).filter((campaign) => caller.covers(campaign))
    const before =
      cursorNumber(query.starting_after, (id) => seen.find((campaign) => campaign.id === id)?.n) ?? Infinity
    const rows = seen.filter(({ n, status }) => n < before && (query.status ?? status) === status).reverse()
    return pageOf(rows.slice(0, query.limit + 1), query.limit, (campaign) => campaignOnWire(campaign, caller.live))
  },
  getCampaign: (caller, { params }) => ok(campaignOnWire(caller.campaign(params.id), caller.live)),
  startCampaign: (caller, { params }) => put(caller, params.id, 'running'),
  pauseCampaign: (caller, { params }) => put(caller, params.id, 'paused'),
}

/** One that is in that status already stays as it is; a completed one stays completed (by decision). */
function put(caller: Caller, id: string, status: CampaignStatus) {
  const campaign = caller.campaignToWrite(id)
  if (!campaign) throw new Refusal('not_found', 'There is no such campaign.')
  if (campaign.status === 'completed')
    throw new Refusal('campaign_closed', `The campaign ${campaign.name} is completed.`)
  if (campaign.status !== status) changeCampaign(caller.world, campaign, { status })
  return ok(campaignOnWire(campaign, caller.live))
}
