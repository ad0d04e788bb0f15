/** Serves campaigns: read, start, pause. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { changeCampaign } from '../../dialing/campaigns.js'
import { serializeCampaign } from '../../model/serialize/resources.js'
import type { CampaignStatus } from '../../model/campaign.js'
import type { Principal } from '../principal.js'
import { cursorNumber } from '../cursor.js'
import { replyOk, replyPage, type Handlers } from '../handler.js'

export const campaignHandlers: Pick<Handlers, 'listCampaigns' | 'getCampaign' | 'startCampaign' | 'pauseCampaign'> = {
  listCampaigns: (caller, { query }) => {
    const seen = caller.world.campaigns
      .listByOrganization(caller.tenant.organizationNumber)
      .filter((campaign) => caller.covers(campaign))
    const before =
      cursorNumber(query.starting_after, (id) => seen.find((campaign) => campaign.id === id)?.n) ?? Infinity
    const rows = seen.filter(({ n, status }) => n < before && (query.status ?? status) === status).reverse()
    return replyPage(rows.slice(0, query.limit + 1), query.limit, (campaign) =>
      serializeCampaign(campaign, caller.live),
    )
  },
  getCampaign: (caller, { params }) => replyOk(serializeCampaign(caller.campaign(params.id), caller.live)),
  startCampaign: (caller, { params }) => changeStatus(caller, params.id, 'running'),
  pauseCampaign: (caller, { params }) => changeStatus(caller, params.id, 'paused'),
}

/**
 * Changes the status of a campaign. Setting the current status again does nothing. A completed campaign stays
 * completed.
 */
function changeStatus(caller: Principal, id: string, status: CampaignStatus) {
  const campaign = caller.campaignToWrite(id)
  if (!campaign) throw new ApiError('not_found', 'There is no such campaign.')
  if (campaign.status === 'completed')
    throw new ApiError('campaign_closed', `The campaign ${campaign.name} is completed.`)
  if (campaign.status !== status) changeCampaign(caller.world, campaign, { status })
  return replyOk(serializeCampaign(campaign, caller.live))
}
