/** Choices for prompts when a value is missing. */
import type { Client, Contract } from '../../client/client.js'
import type { Control } from '../../contract/control.js'
import { pageSizeMax } from '../../contract/limits.js'
import { eventTypes } from '../../contract/enums.js'
import type { Choice } from './prompt-for-missing.js'

export const eventTypeChoices = (): Promise<Choice[]> =>
  Promise.resolve(eventTypes.map((type) => ({ name: type, value: type })))

/** What a prompt for a lead accepts. */
export const leadLabel = 'Lead (id, phone or external id)'

/** Campaigns that the key can see and that pass `fits`. */
export async function campaignChoices(client: Client<Contract>, fits: (status: string) => boolean): Promise<Choice[]> {
  const { body } = await client.call('listCampaigns', { query: { limit: pageSizeMax } })
  return body.data
    .filter(({ status }) => fits(status))
    .map(({ id, name, status }) => ({ name: `${name} (${status})`, value: id }))
}

/** Campaigns that accept leads. */
export const openCampaignChoices = (client: Client<Contract>): Promise<Choice[]> =>
  campaignChoices(client, (status) => status !== 'completed')

/** Campaigns of all organizations of a simulator that accept leads. */
export async function controlCampaignChoices(control: Client<Control>): Promise<Choice[]> {
  const { organizations } = (await control.call('getWorld', {})).body.data
  return organizations.flatMap(({ name: organization, campaigns }) =>
    campaigns
      .filter(({ status }) => status !== 'completed')
      .map(({ id, name, status }) => ({ name: `${name}, ${organization} (${status})`, value: id })),
  )
}

/** Webhook endpoints that the key can see. */
export async function endpointChoices(client: Client<Contract>): Promise<Choice[]> {
  const { body } = await client.call('listWebhookEndpoints', {})
  return body.data.map(({ id, url, status }) => ({ name: `${url} (${status})`, value: id }))
}
