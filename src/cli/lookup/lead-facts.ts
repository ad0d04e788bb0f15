/** Describes a lead in a question, so that the person can check who is meant. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import { nameCampaign } from './campaign-facts.js'

/** How the lead was given, if not by its id. */
export interface ExternalId {
  external_id?: string | undefined
  campaign_id?: string | undefined
}

/** Name, phone and campaign of a lead, as far as the key may read them. */
export async function describeLead(
  client: Client<Contract>,
  id: string | undefined,
  query: ExternalId = {},
): Promise<string> {
  try {
    const { body } =
      id === undefined ? await client.call('listLeads', { query }) : await client.call('getLead', { params: { id } })
    if (Array.isArray(body.data)) return query.external_id ?? ''
    const { name, phone, campaign_id } = body.data
    const campaign = await nameCampaign(client, campaign_id)
    return [name, phone, `campaign ${campaign}`].filter(Boolean).join(', ')
  } catch (error) {
    if (error instanceof ApiError) return id ?? query.external_id ?? ''
    throw error
  }
}

/** The name of a lead, else its phone; the id if the key may not read it. */
export async function nameLead(client: Client<Contract>, id: string): Promise<string> {
  try {
    const { name, phone } = (await client.call('getLead', { params: { id } })).body.data
    return name ?? phone
  } catch (error) {
    if (error instanceof ApiError) return id
    throw error
  }
}
