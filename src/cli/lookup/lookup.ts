/** Finds resources by the names people have for them: campaigns by name, leads by phone or external id, DNC entries by phone. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Campaign } from '../../contract/campaigns.js'
import type { DncEntry } from '../../contract/dnc.js'
import type { Lead } from '../../contract/leads.js'
import { pageSizeMax } from '../../contract/limits.js'
import { NoMatchError } from '../errors/exit-codes.js'
import { nearestName } from '../errors/suggest.js'
import { UsageError } from '../errors/usage-error.js'
import { quoteForShell } from '../input/shell-word.js'
import type { Choice } from '../input/questions/questions.js'
import { findDncEntry, findEntriesWith, offerEntries, partOfNumber, searchCommand } from './dnc-facts.js'
import { hasWords, isNear, isPartOfName, listLeads, offerLeads } from './lead-choices.js'
import { ambiguous, isId, isShortId, matchByName, matchLoosely, startOfId } from './matches.js'
import { byEndOfPhone, describeWholeSearch, matchesLead } from './search-leads.js'

export interface LookupOptions {
  client: Client<Contract>
  /** At a terminal, a campaign's name may differ in case and be a prefix, and a lead is found by a part of what names it. */
  isInteractive: boolean
  /** Asks a person at a terminal for one of the choices. */
  pick: (message: string, choices: readonly Choice[]) => Promise<string>
  /** Learns which id a word meant, for the command line that does the same without a person. */
  meant: (word: string, id: string) => void
  /** Writes a line for the person who waits for a long search. */
  note: (text: string) => void
}

/** A search that reads more pages than this says how far it is. */
const quietPages = 3

export class Lookup {
  readonly #options: LookupOptions
  readonly #noted = new Set<string>()
  /** All campaigns, once a name was looked up. */
  #campaigns: Promise<Campaign[]> | undefined

  constructor(options: LookupOptions) {
    this.#options = options
  }

  /**
   * The id of a campaign given by id or name.
   * @param flag how it was given, such as `--campaign`; it begins the error message.
   * @throws UsageError if no campaign has the name, or several have.
   */
  async campaign(text: string, flag = '--campaign'): Promise<string> {
    if (isId(text)) return text
    const all = await (this.#campaigns ??= this.#listCampaigns())
    const found = matchByName(all, text, this.#options.isInteractive)
    const typed = `${flag} ${JSON.stringify(text)}`
    if (found.length > 1)
      throw ambiguous(
        typed,
        'campaigns',
        found.map(({ id, name, status }) => `${id}  ${name} (${status})`),
      )
    const [campaign] = found
    if (!campaign) {
      const near = nearestName(
        text,
        all.map(({ name }) => name),
      )
      const meant = near === undefined ? '' : `Did you mean ${JSON.stringify(near)}? `
      throw new UsageError(`${typed}: no such campaign.`, `${meant}svc campaigns list shows them.`)
    }
    // Only a person may shorten a name, and sees which campaign is meant.
    if (campaign.name !== text) this.#noteOnce(`${typed} is the campaign ${campaign.name}.\n`)
    return campaign.id
  }

  #noteOnce(text: string): void {
    if (!this.#noted.has(text)) this.#options.note(text)
    this.#noted.add(text)
  }

  async #listCampaigns(): Promise<Campaign[]> {
    const campaigns: Campaign[] = []
    for await (const { body } of this.#options.client.pages('listCampaigns', { query: { limit: pageSizeMax } }))
      campaigns.push(...body.data)
    return campaigns
  }

  /** Like `campaign`, for a flag that may be missing or repeated. */
  async campaigns(texts: readonly string[] | undefined): Promise<string[] | undefined> {
    return texts && Promise.all(texts.map((text) => this.campaign(text)))
  }

  /**
   * The id of a lead given by id, phone or external id, in this order; at a terminal also by the beginning of its id or by a part
   * of its name, phone, external id or e-mail. `campaign` is the id of its campaign, if known.
   * @throws UsageError if several leads match and nobody can be asked.
   * @throws NoMatchError if none does.
   */
  async lead(text: string, campaign?: string): Promise<string> {
    if (isId(text)) return text
    const exact = await this.#exactLeads(text, campaign)
    if (exact.length === 1 && exact[0]) return exact[0].id
    if (exact.length > 1) return this.#askWhichLead(text, exact)
    if (!this.#options.isInteractive)
      throw new NoMatchError(
        `There is no lead ${JSON.stringify(text)}.`,
        'Name a lead by its id, its phone number or its external id. svc leads list shows leads.',
      )
    const found = await this.#searchLeads(text, campaign)
    const [lead, other] = found
    if (!lead)
      throw new NoMatchError(
        `There is no lead ${JSON.stringify(text)}.`,
        'Name a lead by its name, its phone number, its external id or its id. svc leads list shows leads.',
      )
    if (other || !isNear(lead, text)) return this.#askWhichLead(text, found)
    // A part of a name may mean another person.
    if (lead.name?.toLowerCase() !== text.trim().toLowerCase())
      this.#noteOnce(`${JSON.stringify(text)} is the lead ${[lead.name, lead.phone].filter(Boolean).join(', ')}.\n`)
    this.#options.meant(text, lead.id)
    return lead.id
  }

  async #exactLeads(text: string, campaign: string | undefined): Promise<Lead[]> {
    const byPhone = await this.#leadsByPhone(text, campaign)
    return byPhone.length > 0 ? byPhone : this.#leadsByExternalId(text, campaign)
  }

  async #leadsByPhone(text: string, campaign: string | undefined): Promise<Lead[]> {
    const { parsePhone } = await import('../../phone/number.js')
    const number = parsePhone(text)
    if (number.kind === 'invalid') return []
    const found: Lead[] = []
    for await (const lead of this.#allLeads(number.e164, campaign)) if (lead.phone === number.e164) found.push(lead)
    return found
  }

  /** Names and parts are not unique, so a script has to give something that is. */
  async #searchLeads(text: string, campaign: string | undefined): Promise<Lead[]> {
    const found: Lead[] = []
    const named = (lead: Lead) => ({ id: lead.id, name: lead.name ?? '', lead })
    for await (const lead of this.#allLeads(text, campaign))
      if (matchesLead(lead, text) || matchLoosely([named(lead)], text).length > 0) found.push(lead)
    // The beginning of an id and a whole name come before parts; parts of a name do not come before parts of a phone.
    const best = matchLoosely(found.map(named), text).map(({ lead }) => lead)
    const isWhole = best.some(({ name }) => name?.toLowerCase() === text.trim().toLowerCase())
    // `Olsen` may mean Margaret Olsen, although another lead is called just Olsen.
    if (isWhole) return [...best, ...found.filter((lead) => !best.includes(lead) && hasWords(lead, text))]
    const isPart = best.length > 0 && best.every((lead) => isPartOfName(lead, text))
    return byEndOfPhone(best.length === 0 || isPart ? found : best, text)
  }

  /** @throws UsageError that lists the leads if nobody can be asked. */
  async #askWhichLead(text: string, found: readonly Lead[]): Promise<string> {
    const campaigns = await this.#campaignNames()
    const { isInteractive, pick, meant } = this.#options
    if (!isInteractive) throw ambiguous(text, 'leads', listLeads(found, campaigns))
    const typed = JSON.stringify(text)
    const message = found.length === 1 ? `One lead contains ${typed}:` : `${found.length} leads match ${typed}:`
    const id = await pick(message, offerLeads(found, campaigns))
    meant(text, id)
    return id
  }

  /** Names of campaigns by id; the id of one that the key cannot read. */
  async #campaignNames(): Promise<(id: string) => string> {
    const campaigns = await (this.#campaigns ??= this.#listCampaigns()).catch(() => [])
    return (id) => campaigns.find((one) => one.id === id)?.name ?? `campaign ${id}`
  }

  /** The API has no filter for phones and names, so every page is read. */
  async *#allLeads(wanted: string, campaign_id: string | undefined): AsyncGenerator<Lead> {
    const { client, note } = this.#options
    const query = { campaign_id, limit: pageSizeMax }
    let pages = 0
    let read = 0
    for await (const { body } of client.pages('listLeads', { query })) {
      if (!Array.isArray(body.data)) return
      yield* body.data
      pages += 1
      read += body.data.length
      if (pages > quietPages && !body.meta?.has_more) note(describeWholeSearch(wanted, read))
      if (pages >= quietPages && body.meta?.has_more && (pages - quietPages) % 10 === 0)
        note(`Searching for ${wanted}: ${read.toLocaleString('en-US')} leads read. An id or external id is faster.\n`)
    }
  }

  async #leadsByExternalId(external_id: string, campaign_id: string | undefined): Promise<Lead[]> {
    const { client, isInteractive } = this.#options
    try {
      const { body } = await client.call('listLeads', { query: { external_id, campaign_id } })
      return Array.isArray(body.data) ? [] : [body.data]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { code, candidates = [] } = error.refusal
      if (error.status === 404) return []
      if (code !== 'ambiguous_external_id') throw error
      if (isInteractive)
        return Promise.all(
          candidates.map(async ({ id }) => (await client.call('getLead', { params: { id } })).body.data),
        )
      const campaigns = await this.#campaignNames()
      throw ambiguous(
        external_id,
        'leads',
        candidates.map((one) => `${one.id}  (${campaigns(one.campaign_id)})`),
      )
    }
  }

  /**
   * The id of a webhook endpoint given by id or address; at a terminal also by a part of the address.
   * @throws UsageError if no endpoint has the address, or several have.
   */
  async endpoint(text: string): Promise<string> {
    if (isId(text)) return text
    const { body } = await this.#options.client.call('listWebhookEndpoints', {})
    const named = body.data.map(({ id, url, status }) => ({ id, name: url, status }))
    const exact = named.filter(({ name }) => name === text)
    const found = exact.length > 0 || !this.#options.isInteractive ? exact : matchLoosely(named, text)
    const typed = `Endpoint ${JSON.stringify(text)}`
    if (found.length > 1)
      throw ambiguous(
        typed,
        'endpoints',
        found.map(({ id, name, status }) => `${id}  ${name} (${status})`),
      )
    const [endpoint] = found
    if (!endpoint) throw new UsageError(`${typed}: no such endpoint.`, 'svc webhooks list shows them.')
    return endpoint.id
  }

  /**
   * The id of a DNC entry given by id or phone, and the entry if it was given by phone. At a terminal also by a part of the
   * number: a person picks one of those that contain it.
   * @throws NoMatchError if the number is not on the list.
   */
  async dncEntry(text: string): Promise<{ id: string; entry?: DncEntry }> {
    if (isId(text)) return { id: text }
    const { parsePhone } = await import('../../phone/number.js')
    const number = parsePhone(text)
    if (number.kind === 'invalid') return this.#dncEntryWith(text)
    const entry = await findDncEntry(this.#options.client, { phone: number.e164 })
    if (entry) return { id: entry.id, entry }
    throw new NoMatchError(`${number.e164} is not on the Do Not Call list.`, 'svc dnc list shows entries.')
  }

  async #dncEntryWith(text: string): Promise<{ id: string; entry?: DncEntry }> {
    const { client, isInteractive, pick, meant } = this.#options
    const digits = partOfNumber(text)
    const { entries, sentence } =
      digits !== undefined && isInteractive ? await findEntriesWith(client, digits) : { entries: [], sentence: '' }
    if (entries.length > 0) {
      // Also for one: a few digits may be those of another person.
      const id = await pick(sentence, offerEntries(entries))
      const entry = entries.find((one) => one.id === id)
      meant(text, id)
      return { id, ...(entry && { entry }) }
    }
    if (digits !== undefined && isInteractive)
      throw new UsageError(`No number on the list contains ${digits}.`, 'svc dnc list shows entries.')
    throw new UsageError(
      `${JSON.stringify(text)} is neither an id nor a phone number.`,
      `${digits === undefined ? 'svc dnc list' : searchCommand(digits)} shows entries.`,
    )
  }

  /**
   * The id of a call given by id; at a terminal also by the beginning of its id, or by its lead, whose last call it is then.
   * @throws NoMatchError if there is none.
   */
  async call(text: string): Promise<string> {
    if (isId(text) || !this.#options.isInteractive) return text
    if (isShortId(text)) {
      for await (const { body } of this.#options.client.pages('listCalls', { query: { limit: pageSizeMax } })) {
        const call = body.data.find(({ id }) => id.startsWith(startOfId(text)))
        if (call) return call.id
      }
    }
    return this.lastCallOf(text).catch((error: unknown) => {
      if (!(error instanceof NoMatchError)) throw error
      throw new NoMatchError(
        `There is no call ${JSON.stringify(text)}.`,
        'Name a call by its id, or by its lead with --lead. svc calls list shows calls.',
      )
    })
  }

  /**
   * The id of the last call of a lead.
   * @throws NoMatchError if the lead has not been called.
   */
  async lastCallOf(lead: string): Promise<string> {
    const lead_id = await this.lead(lead)
    const { body } = await this.#options.client.call('listCalls', { query: { lead_id, limit: 1 } })
    const [call] = body.data
    if (call) return call.id
    const command = `svc leads get ${quoteForShell(lead)}`
    throw new NoMatchError(`The lead ${lead} has had no call.`, `${command} shows why it waits.`)
  }
}
