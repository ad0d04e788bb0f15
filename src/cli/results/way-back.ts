/** Says how leads are called again that left the queue when their number was put on the Do Not Call list. */
import type { Client, Contract } from '../../client/client.js'
import type { Lead } from '../../contract/leads.js'
import { nameCampaign } from '../lookup/campaign-facts.js'
import { describeNoLead, type LeadsOfNumbers } from '../lookup/leads-of-numbers.js'
import { countOf } from './words.js'

/** More leads are counted only. */
const shownMax = 5

export const callAgain = (id: string): string => `svc calls start --lead ${id}`

/** Removing a number does not put its leads back. One line for each lead, with the command below it. */
export async function describeWayBack(
  client: Client<Contract>,
  found: LeadsOfNumbers,
  phones: ReadonlySet<string>,
): Promise<string[]> {
  const { leads, read, isComplete } = found
  if (leads.length === 0)
    return isComplete || read === 0 ? [] : [describeNoLead(found, phones, 'leads that are out of the queue')]
  const count = `${isComplete ? '' : 'At least '}${countOf(leads.length, 'lead')}`
  const shown = leads.slice(0, shownMax)
  const lines = await Promise.all(shown.map((lead) => describeOne(client, lead)))
  return [
    `${count} ${leads.length === 1 ? 'stays' : 'stay'} out of the queue. To call ${leads.length === 1 ? 'it' : 'one'} again:`,
    ...lines.flat(),
    ...(leads.length > shown.length
      ? [`and ${leads.length - shown.length} more: svc leads list --status out_of_queue shows leads.`]
      : []),
  ]
}

async function describeOne(client: Client<Contract>, { id, name, phone, campaign_id }: Lead): Promise<string[]> {
  const person = [name, phone].filter(Boolean).join(', ')
  return [`${person} (campaign ${await nameCampaign(client, campaign_id)}):`, `  ${callAgain(id)}`]
}
