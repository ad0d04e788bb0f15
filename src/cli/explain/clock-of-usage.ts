/** Estimates the clock of a simulator that shows only its API. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Lead } from '../../contract/leads.js'

/**
 * When the usage was last counted, in milliseconds: the simulated time, at most 5 minutes ago. The lead may have changed
 * since. Undefined if the key may not read the usage.
 */
export async function clockOfUsage(client: Client<Contract>, lead: Lead): Promise<number | undefined> {
  try {
    const { updated } = (await client.call('getUsage', {})).body.data
    return updated === null ? undefined : Math.max(Date.parse(updated), Date.parse(lead.updated))
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}
