/** Choices for prompts when a value is missing. */
import { open, stat } from 'node:fs/promises'
import type { Client, Contract } from '../../../client/client.js'
import type { Campaign } from '../../../contract/campaigns.js'
import type { Lead } from '../../../contract/leads.js'
import { pageSizeMax } from '../../../contract/limits.js'
import { eventTypes } from '../../../contract/enums.js'
import { UsageError } from '../../errors/usage-error.js'
import { readPath } from '../file-names.js'
import { describeReadFailure } from '../stdin.js'
import { statusInWords } from '../../../output/value-words.js'
import { fullTime } from '../../../output/time.js'
import type { LatestChoices, MissingValue } from './prompt-for-missing.js'
import type { Choice, FurtherPage } from './questions.js'

export const eventTypeChoices = (): Promise<Choice[]> =>
  Promise.resolve(eventTypes.map((type) => ({ name: type, value: type })))

/** How many recent leads, calls or entries a prompt offers. */
export const recentMax = 50

/** Asks for a lead: a recent one from the list, or any by id, phone or external id. */
export function leadNeed(
  client: Client<Contract>,
  value: string | undefined,
  flag = '<lead>',
  hint?: string,
): MissingValue {
  const labels = { label: 'Lead (type a name, phone, external id or id)', typedLabel: 'Lead (its id)' }
  const choices = () => leadChoices(client)
  const ifNone = 'There are no leads yet. svc leads add adds one.'
  return { flag, ...labels, value, choices, ifNone, isOpen: true, ...(hint !== undefined && { hint }) }
}

/** The newest leads that the key can see. */
export async function leadChoices(client: Client<Contract>): Promise<Choice[] | LatestChoices> {
  const { body } = await client.call('listLeads', { query: { limit: recentMax } })
  if (!Array.isArray(body.data)) return []
  const latest = latestOf(body.data.map(leadChoice), 'leads', 'meta' in body && body.meta?.has_more)
  const last = body.data.at(-1)?.id
  return Array.isArray(latest) ? latest : { ...latest, more: () => furtherLeads(client, last) }
}

/** A search reads this many pages at most. Looking up the typed text reads all of them. */
const furtherPagesMax = 10

async function* furtherLeads(
  client: Client<Contract>,
  starting_after: string | undefined,
): AsyncGenerator<FurtherPage> {
  let pages = 0
  for await (const { body } of client.pages('listLeads', { query: { limit: pageSizeMax, starting_after } })) {
    if (!Array.isArray(body.data)) return
    yield { choices: body.data.map(leadChoice), isLast: body.meta?.has_more !== true }
    pages += 1
    if (pages === furtherPagesMax) return
  }
}

const leadChoice = ({ id, name, phone, email, status, external_id }: Lead): Choice => ({
  name: `${[name ?? 'no name', phone, external_id].filter(Boolean).join(', ')} (${statusInWords(status)})`,
  value: id,
  keys: present(name, phone, external_id, email),
})

/** The newest calls that the key can see. */
export async function callChoices(
  client: Client<Contract>,
  has?: 'recording_available' | 'transcript_available',
): Promise<Choice[] | LatestChoices> {
  const { body } = await client.call('listCalls', { query: { limit: recentMax } })
  const calls = body.data.flatMap((call) => ('object' in call && (has === undefined || call[has]) ? [call] : []))
  const choices = calls.map(({ id, lead, outcome, status, started }) => ({
    name: `${lead?.name ?? lead?.phone ?? 'no lead'}: ${statusInWords(outcome ?? status)} (${shownTime(started)})`,
    value: id,
    keys: present(lead?.name, lead?.phone, lead?.external_id),
  }))
  return latestOf(choices, 'calls', 'meta' in body && body.meta.has_more)
}

const present = (...words: readonly (string | null | undefined)[]): string[] => words.flatMap((word) => word ?? [])

export const latestOf = (choices: Choice[], what: string, hasMore: boolean | undefined): Choice[] | LatestChoices =>
  hasMore === true ? { latest: choices, what } : choices

/** Asks for a phone number until it can be one. */
export function phoneNeed(
  value: string | undefined,
  flag: string,
  { label = 'Phone', ifSeveral }: Pick<Partial<MissingValue>, 'label' | 'ifSeveral'> = {},
): MissingValue & { check: typeof checkPhone } {
  return { flag, label, value, check: checkPhone, ...(ifSeveral !== undefined && { ifSeveral }) }
}

/** Asks for a campaign that accepts leads. `find` throws if the given one does not exist. */
export function campaignNeed(
  client: Client<Contract>,
  value: string | undefined,
  find: (text: string) => Promise<unknown>,
): MissingValue {
  const choices = () => openCampaignChoices(client)
  return {
    flag: '--campaign',
    label: 'Campaign',
    value,
    choices,
    ifNone: 'There is no campaign that takes leads. Campaigns are made in the app.',
    verifyGiven: find,
  }
}

/** Asks for the number of a person to call, until it can be called. */
export const calledPhoneNeed = (value: string | undefined, flag: string): MissingValue => ({
  ...phoneNeed(value, flag, {
    ifSeveral: 'For many people: save them in a file with a column "Phone", then svc leads import <file>.',
  }),
  check: checkCalledPhone,
})

const neverCalled: Readonly<Record<string, string>> = {
  international: 'That number is outside the US and Canada: it is never called.',
  premium: 'That is a premium-rate number: it is never called.',
  made_up: 'That number is made up: 555-0100 to 555-0199 are never assigned. With a test key, use +15550100001.',
}

async function checkCalledPhone(text: string): Promise<string | true> {
  const { parsePhone } = await import('../../../phone/number.js')
  return neverCalled[parsePhone(text).kind] ?? checkPhone(text)
}

async function checkPhone(text: string): Promise<string | true> {
  const { parsePhone } = await import('../../../phone/number.js')
  if (parsePhone(text).kind !== 'invalid') return true
  const { explainInvalidNumber } = await import('../../import/review/number-faults.js')
  return explainInvalidNumber(text) ?? 'That is not a phone number. It reads like (212) 555-7812 or +12125557812.'
}

/** Asks for a file that exists. The name may be quoted and begin with `~`, as in a shell. */
export function fileNeed(value: string | undefined): MissingValue {
  return {
    flag: '<file>',
    label: 'File (Tab completes)',
    value,
    isFile: true,
    read: readPath,
    check: checkFile,
    verifyGiven: findFile,
  }
}

/** Found before the next question, not when the file is read. */
async function findFile(path: string): Promise<void> {
  const problem = await checkFile(path)
  if (problem === true) return
  await stat(path).catch((error: unknown) => Promise.reject(describeReadFailure(path, error)))
  throw new UsageError(problem)
}

export async function checkFile(path: string): Promise<string | true> {
  if (path === '-') return true
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return `${path} is a folder. Name a file in it.`
  // A pipe can be read only once.
  if (found?.isFile() !== true) return found?.isFIFO() === true || `There is no file ${path}.`
  if (found.size === 0) return `${path} is empty.`
  const { describeForeignFile } = await import('../../import/source/text.js')
  return describeForeignFile(path, await readBeginning(path)) ?? true
}

/** Empty if the file cannot be read, which is reported when it is opened. */
async function readBeginning(path: string): Promise<Buffer> {
  const bytes = Buffer.alloc(16)
  const file = await open(path).catch(() => null)
  if (file === null) return bytes
  try {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Campaigns that the key can see and that pass `fits`: all of them, so that none has to be typed. */
export async function campaignChoices(client: Client<Contract>, fits: (status: string) => boolean): Promise<Choice[]> {
  const all: Campaign[] = []
  for await (const { body } of client.pages('listCampaigns', { query: { limit: pageSizeMax } })) all.push(...body.data)
  return all
    .filter(({ status }) => fits(status))
    .map(({ id, name, status }) => {
      const isOnlyOne = all.filter((one) => one.name === name).length === 1
      // With two of one name, only the id says which is meant.
      return isOnlyOne
        ? { name: `${name} (${statusInWords(status)})`, value: id, word: name }
        : { name: `${name} (${statusInWords(status)})  ${id}`, value: id }
    })
}

/** Campaigns that accept leads. */
const openCampaignChoices = (client: Client<Contract>): Promise<Choice[]> =>
  campaignChoices(client, (status) => status !== 'completed')

/** Webhook endpoints that the key can see. */
export async function endpointChoices(client: Client<Contract>): Promise<Choice[]> {
  const { body } = await client.call('listWebhookEndpoints', {})
  return body.data.map(({ id, url, status }) => ({ name: `${url} (${statusInWords(status)})`, value: id, keys: [url] }))
}

/** The newest deliveries to an endpoint. */
export async function deliveryChoices(client: Client<Contract>, id: string): Promise<Choice[] | LatestChoices> {
  const query = { limit: recentMax }
  const { body } = await client.call('listDeliveries', { params: { id }, query })
  const choices = body.data.map((one) => ({
    name: `${one.event_type}, ${statusInWords(one.status)}${one.response_status === null ? '' : ` ${one.response_status}`} (${shownTime(one.created)})`,
    value: one.id,
  }))
  return latestOf(choices, 'deliveries', body.meta.has_more)
}

const shownTime = (iso: string): string => fullTime(iso, { utc: false })
