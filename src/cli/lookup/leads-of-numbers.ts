/** Finds the leads with certain phone numbers among the latest leads, for questions and sentences about a number. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Lead, LeadStatus } from '../../contract/leads.js'
import { pageSizeMax } from '../../contract/limits.js'

/** The API has no filter for phones. More pages would make a person wait for the rate limit. */
const pagesMax = 10

export interface LeadsOfNumbers {
  leads: Lead[]
  /** How many leads were read, and whether these were all. */
  read: number
  isComplete: boolean
}

/** A key that may not read leads finds none. */
export async function findLeadsOfNumbers(
  client: Client<Contract>,
  phones: ReadonlySet<string>,
  status?: LeadStatus,
): Promise<LeadsOfNumbers> {
  const found: LeadsOfNumbers = { leads: [], read: 0, isComplete: false }
  let pages = 0
  try {
    for await (const { body } of client.pages('listLeads', { query: { status, limit: pageSizeMax } })) {
      if (!Array.isArray(body.data)) break
      found.read += body.data.length
      found.leads.push(...body.data.filter(({ phone }) => phones.has(phone)))
      if (++pages === pagesMax && 'meta' in body && body.meta?.has_more) return found
    }
    return { ...found, isComplete: true }
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return found
    throw error
  }
}
