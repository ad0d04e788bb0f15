/** Reads a campaign for a question, so that the person can check it before people are called. */
import type { Client, Contract } from '../../client/client.js'
import type { Campaign } from '../../contract/campaigns.js'
import { pageSizeMax } from '../../contract/limits.js'
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

/** The name of a campaign for questions and sentences, with the id if another one has the same name; the id if it is unknown. */
export async function nameCampaign(client: Client<Contract>, id: string): Promise<string> {
  try {
    const { body } = await client.call('listCampaigns', { query: { limit: pageSizeMax } })
    const found = body.data.find((one) => one.id === id)
    if (!found) return (await readCampaign(client, id))?.name ?? id
    const hasTwin = body.data.some((one) => one.id !== id && one.name === found.name)
    return hasTwin ? `${found.name} (${id})` : found.name
  } catch (error) {
    if (error instanceof ApiError) return id
    throw error
  }
}

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
