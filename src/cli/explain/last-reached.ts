/** Finds the last call to a number that begins its cooldown: by another campaign, or inbound (rule D4). */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Lead } from '../../contract/leads.js'
import { cooldownHours, pageSizeMax } from '../../contract/limits.js'

export interface LastReached {
  /** Milliseconds; null if no such call was made in the time of a cooldown, undefined if that is unknown. */
  at: number | null | undefined
  /** Why it is unknown. */
  reason?: string
}

/** The API has no filter for phones, so the calls of the last 24 hours are read, at most this number of pages. */
const pagesMax = 20

export async function findLastReached(client: Client<Contract>, lead: Lead, now: number): Promise<LastReached> {
  const since = new Date(now - cooldownHours * 3_600_000).toISOString()
  let pages = 0
  for await (const { body } of client.pages('listCalls', { query: { 'created[gte]': since, limit: pageSizeMax } })) {
    for (const call of body.data) {
      if (!('object' in call) || call.lead?.phone !== lead.phone) continue
      if (call.direction === 'inbound' || call.campaign_id !== lead.campaign_id) return { at: Date.parse(call.started) }
    }
    pages += 1
    if (pages >= pagesMax && 'meta' in body && body.meta.has_more)
      return {
        at: undefined,
        reason: `more than ${(pagesMax * pageSizeMax).toLocaleString('en-US')} calls in 24 hours`,
      }
  }
  if (await seesEveryCampaign(client)) return { at: null }
  return { at: undefined, reason: 'the key may not see the calls of every campaign' }
}

/** Only a live key for every campaign can list exports (rules K5 and X2). */
async function seesEveryCampaign(client: Client<Contract>): Promise<boolean> {
  try {
    await client.call('listExports', {})
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false
    throw error
  }
}
