/** Says before a lead is added who has its number already, because that person may be called twice. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Campaign } from '../../contract/campaigns.js'
import type { Lead } from '../../contract/leads.js'
import { statusInWords } from '../../output/value-words.js'
import { parsePhone } from '../../phone/number.js'
import { countOf } from '../results/words.js'
import { nameCampaign } from './campaign-facts.js'
import { describeRest, findLeadsOfNumbers } from './leads-of-numbers.js'

export interface KnownNumber {
  /** Such as "Ann Lee, a lead of Spring (done), has this number already." */
  sentence: string
  /** True if the service takes the lead, so that the person may be called twice. */
  isCalledTwice: boolean
}

const dayMs = 24 * 3_600_000

/**
 * Undefined if no lead has the number, as far as leads are read, or if they cannot be read. `now` is in milliseconds since
 * the epoch.
 */
export async function findKnownNumber(
  client: Client<Contract>,
  phone: string,
  campaign: Pick<Campaign, 'id' | 'duplicate_window_days'> | undefined,
  now: number,
): Promise<KnownNumber | undefined> {
  const number = parsePhone(phone)
  if (number.kind === 'invalid') return undefined
  try {
    const found = await findLeadsOfNumbers(client, new Set([number.e164]))
    const { leads, read, isComplete } = found
    // The lead of another campaign is the one that nothing else names.
    const lead = leads.find((one) => one.campaign_id !== campaign?.id) ?? leads[0]
    const unread = 'has this number. Older ones were not read.'
    if (lead === undefined)
      return isComplete || read === 0
        ? undefined
        : { sentence: `None of the latest ${countOf(read, 'lead')} ${unread}`, isCalledTwice: false }
    return {
      sentence: [await describeOwner(client, lead, leads.length - 1), ...describeRest(found)].join(' '),
      isCalledTwice: !(campaign !== undefined && leads.some((one) => isRefused(one, campaign, now))),
    }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Whether the campaign refuses the number because of this lead (rule D9). The window runs from then or later. */
const isRefused = ({ campaign_id, created }: Lead, { id, duplicate_window_days: days }: CampaignWindow, now: number) =>
  campaign_id === id && now - Date.parse(created) < days * dayMs

type CampaignWindow = Pick<Campaign, 'id' | 'duplicate_window_days'>

async function describeOwner(client: Client<Contract>, lead: Lead, others: number): Promise<string> {
  const of = `lead of ${await nameCampaign(client, lead.campaign_id)} (${statusInWords(lead.status)})`
  const who = lead.name === null ? `A ${of}` : `${lead.name}, a ${of},`
  const more = others === 0 ? '' : `, and so ${others === 1 ? 'has' : 'have'} ${countOf(others, 'more lead')}`
  return `${who} has this number already${more}.`
}
