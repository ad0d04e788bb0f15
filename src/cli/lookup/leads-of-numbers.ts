/** Finds the leads with certain phone numbers among the latest leads, for questions and sentences about a number. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Lead, LeadStatus } from '../../contract/leads.js'
import { pageSizeMax } from '../../contract/limits.js'

/** The API has no filter for phones. More pages would make a person wait for the rate limit. */
const usualPages = 10

export interface LeadsOfNumbers {
  leads: Lead[]
  /** How many leads were read, and whether these were all. */
  read: number
  isComplete: boolean
}

export interface Search {
  status?: LeadStatus
  /** Pages to read at most. */
  pagesMax?: number
  /** Gets the number of leads read so far. */
  onPage?: (read: number) => void
  /** Ends the search with what was found so far. */
  signal?: AbortSignal
}

/** A key that may not read leads finds none. */
export async function findLeadsOfNumbers(
  client: Client<Contract>,
  phones: Pick<ReadonlySet<string>, 'has'>,
  { status, pagesMax = usualPages, onPage, signal }: Search = {},
): Promise<LeadsOfNumbers> {
  const found: LeadsOfNumbers = { leads: [], read: 0, isComplete: false }
  let pages = 0
  try {
    for await (const { body } of client.pages('listLeads', { query: { status, limit: pageSizeMax } }, { signal })) {
      if (!Array.isArray(body.data)) break
      found.read += body.data.length
      found.leads.push(...body.data.filter(({ phone }) => phones.has(phone)))
      onPage?.(found.read)
      if (++pages === pagesMax && 'meta' in body && body.meta?.has_more) return found
    }
    return { ...found, isComplete: true }
  } catch (error) {
    if (signal?.aborted || (error instanceof ApiError && error.status === 403)) return found
    throw error
  }
}

/** Says after leads that were found that older ones may have the number too. Nothing if all leads were read. */
export const describeRest = ({ read, isComplete }: Pick<LeadsOfNumbers, 'read' | 'isComplete'>): string[] =>
  isComplete || read === 0
    ? []
    : [`Only the latest ${read.toLocaleString('en-US')} leads were read: older ones may have it too.`]

/** Says that no lead was found, and how to look further if not all leads were read. `which` names the leads that were read. */
export function describeNoLead(
  { read, isComplete }: Pick<LeadsOfNumbers, 'read' | 'isComplete'>,
  phones: ReadonlySet<string>,
  which = 'leads',
): string {
  const [phone = '', other] = phones
  const numbers = other === undefined ? 'this number' : 'one of these numbers'
  if (isComplete) return `No lead has ${numbers}.`
  if (read === 0) return `The key cannot read leads, so it is unknown whether one has ${numbers}.`
  const rest = `None of the latest ${read.toLocaleString('en-US')} ${which} has ${numbers}, and there are more.`
  return `${rest} An older lead is found by its id or external_id (svc leads get), or by svc leads get ${other === undefined ? phone : '<phone>'}, which reads all of them.`
}
