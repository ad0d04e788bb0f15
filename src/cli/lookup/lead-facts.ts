/** Describes a lead in a question, so that the person can check who is meant. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Lead, LeadCallSummary } from '../../contract/leads.js'
import { relativeTime } from '../../output/time.js'
import { statusInWords } from '../../output/value-words.js'
import { nameCampaign } from './campaign-facts.js'

/** How the lead was given, if not by its id. */
export interface ExternalId {
  external_id?: string | undefined
  campaign_id?: string | undefined
}

/** A call within this time is worth a question before the next one. */
const recentMs = 24 * 3_600_000

/** Reads a lead by its id or external id; undefined if that fails, for example because the key may not read leads. */
export async function findLead(
  client: Client<Contract>,
  id: string | undefined,
  query: ExternalId = {},
): Promise<Lead | undefined> {
  try {
    const { body } =
      id === undefined ? await client.call('listLeads', { query }) : await client.call('getLead', { params: { id } })
    return Array.isArray(body.data) ? undefined : body.data
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Name, phone and campaign of a lead; undefined if the key may not read the campaign. */
export async function describeFoundLead(client: Client<Contract>, lead: Lead): Promise<string | undefined> {
  try {
    const campaign = await nameCampaign(client, lead.campaign_id)
    return [lead.name, lead.phone, `campaign ${campaign}`].filter(Boolean).join(', ')
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Name, phone and campaign of a lead; its id if the key may not read it. */
export async function describeLead(client: Client<Contract>, id: string): Promise<string> {
  const lead = await findLead(client, id)
  return (lead && (await describeFoundLead(client, lead))) ?? id
}

/** The name of a lead, else its phone; the id if the key may not read it. */
export async function nameLead(client: Client<Contract>, id: string): Promise<string> {
  const lead = await findLead(client, id)
  return lead?.name ?? lead?.phone ?? id
}

/** "called 9 minutes ago". `now` is in milliseconds since the epoch. */
export function describeCallTime({ started }: LeadCallSummary, now: number): string {
  const when = relativeTime(Date.parse(started), now)
  return `called ${when === 'now' ? 'just now' : when}`
}

/**
 * "Bob Hall was called 1 minute ago (hung up)." Undefined if the latest call is over and began 24 hours ago or earlier.
 * `now` is in milliseconds since the epoch.
 */
export function describeRecentCall({ name, phone, status, calls }: Lead, now: number): string | undefined {
  const who = name ?? phone
  if (status === 'dialing' || status === 'on_call') return `A call to ${who} is going on.`
  const [last] = calls
  if (last === undefined || now - Date.parse(last.started) >= recentMs) return undefined
  const outcome = last.outcome === null ? '' : ` (${statusInWords(last.outcome)})`
  return `${who} was ${describeCallTime(last, now)}${outcome}.`
}
