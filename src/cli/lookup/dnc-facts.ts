/** Says who is on the Do Not Call list and why, for a question, so that nobody is called against their wish by mistake. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { DncEntry, DncSource } from '../../contract/dnc.js'
import { pageSizeMax } from '../../contract/limits.js'
import { fullTime, relativeTime } from '../../output/time.js'
import { statusInWords } from '../../output/value-words.js'
import type { Choice } from '../input/questions/questions.js'
import { findLeadsOfNumbers } from './leads-of-numbers.js'

/** An id says nothing about its place in the list. More pages would make a person wait for the rate limit. */
const pagesMax = 10

/** How the number came onto the list, after the name of the person. */
const reasons: Readonly<Record<DncSource, string>> = {
  sms: 'asked not to be called, by text message,',
  ai: 'asked not to be called, in a call,',
  outcome: 'was put on the list by the outcome of a call',
  manual: 'was put on the list by hand, in the app,',
  api: 'was put on the list through the API',
  bulk: 'was put on the list as one of several numbers',
}

/** "Maria Gonzalez asked not to be called, by text message, 7 minutes ago." `now` is in milliseconds since the epoch. */
export async function describeDncEntry(client: Client<Contract>, entry: DncEntry, now: number): Promise<string> {
  const { leads } = await findLeadsOfNumbers(client, new Set([entry.phone]))
  const name = leads.find((lead) => lead.name !== null)?.name
  return `${name ?? entry.phone} ${describeReason(entry, now)}`
}

/** "It was put on the list through the API 7 minutes ago." Reads no leads. */
export const describeListing = (entry: DncEntry, now: number): string =>
  `${entry.source === 'sms' || entry.source === 'ai' ? 'The person' : 'It'} ${describeReason(entry, now)}`

function describeReason({ source, createdAt }: DncEntry, now: number): string {
  const when = relativeTime(Date.parse(createdAt), now)
  // A newer version of the service may know more sources.
  const reason = (reasons as Partial<Record<string, string>>)[source] ?? `was put on the list (${source})`
  return `${reason} ${when === 'now' ? 'just now' : when}.`
}

/** The entry with an id or phone; undefined if it is not found soon, or the key may not read the list. */
export async function findDncEntry(
  client: Client<Contract>,
  wanted: { id: string } | { phone: string },
): Promise<DncEntry | undefined> {
  const isWanted = (one: DncEntry) => ('id' in wanted ? one.id === wanted.id : one.phone === wanted.phone)
  const search = 'phone' in wanted ? wanted.phone : undefined
  let pages = 0
  try {
    for await (const { body } of client.pages('listDnc', { query: { search, limit: pageSizeMax } })) {
      const entry = body.data.find(isWanted)
      if (entry || ++pages === pagesMax) return entry
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403 && 'id' in wanted)) throw error
  }
  return undefined
}

/** Fewer digits are in too many numbers. */
const leastDigits = 3

/** The digits of a text that may be a part of a phone number; undefined for any other text. */
export function partOfNumber(text: string): string | undefined {
  const digits = text.replaceAll(/\D/g, '')
  return /^[\d\s()+./-]+$/.test(text) && digits.length >= leastDigits ? digits : undefined
}

/** The command that lists the numbers with these digits. */
export const searchCommand = (digits: string): string => `svc dnc list --search ${digits}`

/** The newest entries with these digits in their number, and a sentence about them for a question. */
export async function findEntriesWith(
  client: Client<Contract>,
  digits: string,
): Promise<{ entries: readonly DncEntry[]; sentence: string }> {
  const { body } = await client.call('listDnc', { query: { search: digits, limit: pageSizeMax } })
  const { data: entries, meta } = body
  const contain = entries.length === 1 ? 'number on the list contains' : 'numbers on the list contain'
  return {
    entries,
    sentence: meta.has_more
      ? `The latest ${entries.length} numbers on the list that contain ${digits}:`
      : `${entries.length} ${contain} ${digits}:`,
  }
}

/** Entries of the list as choices of a question. */
export const offerEntries = (entries: readonly DncEntry[]): Choice[] =>
  entries.map(({ id, phone, source, createdAt }) => ({
    name: `${phone} (${statusInWords(source)}, ${fullTime(createdAt, { utc: false })})`,
    value: id,
    keys: [phone],
  }))
