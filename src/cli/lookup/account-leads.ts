/** Reads leads of the account before an import, to compare the rows with them and to count the room in the queue. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Lead } from '../../contract/leads.js'
import { pageSizeMax } from '../../contract/limits.js'
import { countQueue, isInQueue, type Counting, type PeopleCount } from './waiting-people.js'

/** More pages would make a person wait for the rate limit. */
const pagesMax = 10

export interface AccountLeads {
  /** Each one once. */
  leads: readonly Lead[]
  /** How many of the latest leads of all campaigns were read. 0 if the key may not read leads. */
  latest: number
  /** True if these are all leads. */
  isComplete: boolean
  /** The leads in the queue of the campaign. */
  queue: PeopleCount
}

/** If all leads fit into these pages, they also give the queue. Otherwise the waiting leads of the campaign are read too. */
export async function readAccountLeads(counting: Counting): Promise<AccountLeads> {
  const { client, campaign } = counting
  const leads = new Map<string, Lead>()
  const keep = (some: readonly Lead[]) => some.forEach((lead) => leads.set(lead.id, lead))
  const isComplete = await readLatest(client, keep)
  const latest = leads.size
  const inQueue = () => [...leads.values()].filter((lead) => lead.campaign_id === campaign && isInQueue(lead)).length
  const queue = isComplete ? { count: inQueue(), isExact: true } : await countQueue({ ...counting, seen: keep })
  return { leads: [...leads.values()], latest, isComplete, queue }
}

/** True if these were all. A key that may not read leads reads none. */
async function readLatest(client: Client<Contract>, keep: (leads: readonly Lead[]) => void): Promise<boolean> {
  let pages = 0
  try {
    for await (const { body } of client.pages('listLeads', { query: { limit: pageSizeMax } })) {
      if (!Array.isArray(body.data)) return false
      keep(body.data)
      if (body.meta?.has_more !== true) return true
      pages += 1
      if (pages === pagesMax) return false
    }
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false
    throw error
  }
}
