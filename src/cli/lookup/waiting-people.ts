/** Counts the people who wait in a campaign, for questions before a command that calls them. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Lead, LeadStatus } from '../../contract/leads.js'
import { pageSizeMax } from '../../contract/limits.js'

export interface PeopleCount {
  count: number
  /** False if there are more than were counted. */
  isExact: boolean
}

/** Counting stops after this number of pages. */
const pagesMax = 50
/** A count that reads more pages than this tells the person how far it is. */
const quietPages = 3

/** Statuses of leads that can still be called. */
const notFinal: readonly LeadStatus[] = [
  'queued',
  'scheduled',
  'held',
  'callback_scheduled',
  'new',
  'dialing',
  'on_call',
]
/** Statuses of leads that take up room in the queue. */
const waiting: readonly LeadStatus[] = ['queued', 'scheduled', 'held']

export interface Counting {
  client: Client<Contract>
  /** Id of the campaign. */
  campaign: string
  /** Writes a line for the person who waits for a long count. */
  note: (text: string) => void
  /** Gets the leads of each page. */
  seen?: (leads: readonly Lead[]) => void
}

/** Whether the lead counts toward the limit of its queue. */
export const isInQueue = ({ status, lead_source }: Lead): boolean => waiting.includes(status) && lead_source === 'api'

/** The API has no count, so the leads are read page by page. */
export const countPeople = (counting: Counting): Promise<PeopleCount> => countLeads(counting, notFinal, () => true)

/** Counts the leads that count toward the limit of the queue: those that came by the API (rule A4). */
export const countQueue = (counting: Counting): Promise<PeopleCount> => countLeads(counting, waiting, isInQueue)

/** A key that may not read leads gives an open count. */
async function countLeads(...counting: Parameters<typeof countPages>): Promise<PeopleCount> {
  try {
    return await countPages(...counting)
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return { count: 0, isExact: false }
    throw error
  }
}

async function countPages(
  { client, campaign, note, seen }: Counting,
  statuses: readonly LeadStatus[],
  fits: (lead: Lead) => boolean,
): Promise<PeopleCount> {
  let pages = 0
  let read = 0
  let count = 0
  for (const status of statuses) {
    const query = { campaign_id: campaign, status, limit: pageSizeMax }
    for await (const { body } of client.pages('listLeads', { query })) {
      if (!Array.isArray(body.data)) break
      pages += 1
      read += body.data.length
      seen?.(body.data)
      count += body.data.filter(fits).length
      if (!body.meta?.has_more) break
      if (pages >= pagesMax) return { count, isExact: false }
      if (pages >= quietPages && (pages - quietPages) % 10 === 0)
        note(`Counting the waiting leads: ${read.toLocaleString('en-US')} read.\n`)
    }
  }
  return { count, isExact: true }
}

/** `1 person`, `12 people` or `at least 5,000 people`. */
export function formatPeople({ count, isExact }: PeopleCount): string {
  const people = `${count.toLocaleString('en-US')} ${count === 1 ? 'person' : 'people'}`
  return isExact ? people : `at least ${people}`
}
