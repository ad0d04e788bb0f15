/** Searches leads by a part of their name, phone, external id or e-mail, or by outcome. The API has no such filters, so every page is read. */
import type { Client, Contract } from '../../client/client.js'
import type { Page } from '../../client/pages.js'
import type { Lead, LeadStatus } from '../../contract/leads.js'
import { leadsPageSize, pageSizeMax } from '../../contract/limits.js'

/** A search that reads more pages than this says how far it is. */
const quietPages = 3

export interface LeadSearch {
  /** A part of what names the lead. */
  text?: string | undefined
  /** The last outcome of the lead. */
  outcome?: Lead['last_outcome'] | undefined
  query: {
    campaign_id?: string | undefined
    status?: LeadStatus | undefined
    'created[gte]'?: string | undefined
    starting_after?: string | undefined
  }
  all: boolean
  limit?: number | undefined
  /** Writes a line for the person who waits for a long search. */
  note: (text: string) => void
}

/** Yields pages of the leads that match, until there are enough. */
export async function* searchLeads(
  client: Client<Contract>,
  { text, outcome, query, all, limit = leadsPageSize, note }: LeadSearch,
): AsyncGenerator<Page<Lead>> {
  const wanted = [text, outcome].filter(Boolean).join(', ')
  const isWanted = (lead: Lead) =>
    (text === undefined || matchesLead(lead, text)) && (outcome === undefined || lead.last_outcome === outcome)
  let [pages, read, left] = [0, 0, all ? Infinity : limit]
  for await (const { body } of client.pages('listLeads', { query: { ...query, limit: pageSizeMax } })) {
    if (!Array.isArray(body.data)) return
    const isLast = !('meta' in body) || !body.meta?.has_more
    const found = body.data.filter(isWanted)
    const data = found.slice(0, left)
    left -= data.length
    const isEnough = left === 0 && (!isLast || found.length > data.length)
    yield { data, meta: { has_more: isEnough, next_cursor: isEnough ? (data.at(-1)?.id ?? null) : null } }
    if (isEnough) return
    pages += 1
    read += body.data.length
    if (pages > quietPages && isLast) note(describeWholeSearch(wanted, read))
    if (pages >= quietPages && !isLast && (pages - quietPages) % 10 === 0)
      note(`Searching for ${wanted}: ${read.toLocaleString('en-US')} leads read.\n`)
  }
}

/** Ends what a long search says of itself, so that its last figure does not look like a place where it stopped. */
export const describeWholeSearch = (wanted: string, read: number): string =>
  `Searching for ${wanted}: all ${read.toLocaleString('en-US')} leads read.\n`

/** A phone is found by its digits, however they are separated. Fewer than a whole number are not looked for in the country code. */
export function matchesLead({ name, phone, external_id, email }: Lead, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  const digits = digitsOf(wanted)
  const number = wanted.startsWith('+') || digits.length > nationalDigits ? phone : phone.replace(/^\+1/, '')
  return (
    [name, external_id, email].some((value) => value?.toLowerCase().includes(wanted)) ||
    (digits !== '' && number.includes(digits))
  )
}

/** The leads whose phone ends with the text first: people know the last digits of a number. */
export function byEndOfPhone(leads: readonly Lead[], text: string): Lead[] {
  const digits = digitsOf(text.trim())
  const endsWith = ({ phone }: Lead) => Number(digits !== '' && phone.endsWith(digits))
  return [...leads].sort((a, b) => endsWith(b) - endsWith(a))
}

/** Digits of a national number with its area code. */
const nationalDigits = 10

/** The digits of a part of a phone number; empty for any other text. */
const digitsOf = (text: string): string => (/^[\d\s()+./-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '')
