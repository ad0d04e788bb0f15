/** Finds rows of a file whose person is a lead already, of the campaign or of another one, before anything is sent. */
import type { Lead } from '../../../contract/leads.js'
import type { AccountLeads } from '../../lookup/account-leads.js'
import { LineList } from '../line-list.js'
import { amount } from '../result-sentence.js'
import { comparable, isEmail, type RowPerson } from './earlier-rows.js'

const namedMost = 3

type Account = Pick<AccountLeads, 'leads' | 'latest' | 'isComplete'>

export class RowsInCampaigns {
  readonly #account: Account
  /** Leads of the campaign, by what names a person. */
  readonly #here = { phones: new Map<string, Lead>(), ids: new Map<string, Lead>(), emails: new Map<string, Lead>() }
  /** The campaign of a number. */
  readonly #elsewhere = new Map<string, string>()
  readonly #known = new LineList()
  readonly #alike = new LineList()
  #firstAlike = ''
  readonly #others = new LineList()
  readonly #byCampaign = new Map<string, number>()

  constructor(account: Account, campaign: string) {
    this.#account = account
    for (const lead of account.leads) {
      if (lead.campaign_id !== campaign) {
        this.#elsewhere.set(lead.phone, lead.campaign_id)
        continue
      }
      const { phones, ids, emails } = this.#here
      phones.set(lead.phone, lead)
      if (lead.external_id !== null) ids.set(lead.external_id, lead)
      if (isEmail(lead.email ?? undefined)) emails.set(lead.email?.toLowerCase() ?? '', lead)
    }
  }

  /** Judges a row that will be sent. */
  add(line: number, { phone, numbers, externalId, email }: RowPerson): void {
    const { phones, ids, emails } = this.#here
    const number = comparable(phone)
    if (phones.has(number) || (externalId !== undefined && ids.has(externalId))) return this.#known.add(line)
    const byEmail = isEmail(email) ? emails.get(email.toLowerCase()) : undefined
    const byNumber = numbers.map((other) => phones.get(comparable(other))).find((one) => one !== undefined)
    const alike = byEmail ?? byNumber
    if (alike !== undefined) {
      this.#firstAlike ||= `${alike.name ?? alike.phone}, ${byEmail ? 'same e-mail' : 'shared number'}`
      return this.#alike.add(line)
    }
    const other = this.#elsewhere.get(number)
    if (other === undefined) return
    this.#others.add(line)
    this.#byCampaign.set(other, (this.#byCampaign.get(other) ?? 0) + 1)
  }

  /** Rows with a number or an external id of the campaign. */
  get count(): number {
    return this.#known.count
  }

  /** "12 of them already in Web leads", for the question before sending. `total` counts all rows. */
  note(name: string, total: number): string[] {
    const { count } = this
    const some = total === 1 ? '' : `${count.toLocaleString('en-US')} of them `
    return count === 0 ? [] : [`${some}already in ${name}`]
  }

  /** The rows that are in the campaign with this name. */
  describeKnown(name: string): string {
    const { count } = this
    return `Warning: ${amount(count, 'rows')} ${count === 1 ? 'is' : 'are'} already in ${name} (${this.#known.describe()}).`
  }

  /** Sentences about the other rows. `nameOf` names another campaign. */
  async describeOthers(name: string, nameOf: (id: string) => Promise<string>): Promise<string[]> {
    const { isComplete, latest } = this.#account
    const [alike, others] = [this.#alike.count, this.#others.count]
    const where = (list: LineList) => `(${list.describe()})`
    return [
      ...(alike > 0
        ? [
            `Warning: ${amount(alike, 'rows')} ${alike === 1 ? 'looks' : 'look'} like a lead of ${name}, with another number ${where(this.#alike)}, such as ${this.#firstAlike}. Both numbers would be called.`,
          ]
        : []),
      ...(others > 0
        ? [
            `Warning: ${amount(others, 'rows')} ${others === 1 ? 'has' : 'have'} the number of a lead of ${await this.#nameOthers(nameOf)} ${where(this.#others)}. ${others === 1 ? 'This person' : 'These people'} may be called from both.`,
          ]
        : []),
      ...(isComplete || latest === 0
        ? []
        : [`Only the latest ${amount(latest, 'leads')} and those that wait in ${name} were compared.`]),
    ]
  }

  async #nameOthers(nameOf: (id: string) => Promise<string>): Promise<string> {
    const ids = [...this.#byCampaign].sort(([, a], [, b]) => b - a).map(([id]) => id)
    const rest = ids.length - namedMost
    const named = await Promise.all(ids.slice(0, namedMost).map(nameOf))
    return [...named, ...(rest > 0 ? [amount(rest, 'other campaigns')] : [])].join(' or ')
  }
}
