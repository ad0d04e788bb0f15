/** Reads a campaign for a question, so that the person can check it before people are called. */
import type { Client, Contract } from '../../client/client.js'
import type { Campaign } from '../../contract/campaigns.js'
import { ApiError } from '../../client/errors.js'

/** Undefined if the key may not read the campaign, or there is none. */
export async function readCampaign(client: Client<Contract>, id: string): Promise<Campaign | undefined> {
  try {
    return (await client.call('getCampaign', { params: { id } })).body.data
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The name, or the id if the campaign is unknown. */
export const nameCampaign = (campaign: Campaign | undefined, id: string): string => campaign?.name ?? id

/** The record with the name of its campaign, which says more to a person than the id. Other readers get it as it is. */
export async function withCampaignName<T extends { campaign_id: string | null }>(
  { isForPerson }: { isForPerson: boolean },
  client: Client<Contract>,
  record: T,
): Promise<T> {
  const { campaign_id: id } = record
  const campaign = isForPerson && id !== null ? await readCampaign(client, id) : undefined
  return campaign === undefined ? record : { campaign: campaign.name, ...record }
}
