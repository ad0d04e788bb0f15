/** Shows the leads that a word may mean, so that a person can choose one. */
import type { Lead } from '../../contract/leads.js'
import { statusInWords } from '../../output/value-words.js'
import type { Choice } from '../input/questions/questions.js'
import { matchesLead } from './search-leads.js'

type CampaignNames = (id: string) => string

/** Fewer digits of a phone number are as likely a part of another person's. */
const sureDigits = 7

/** The leads as choices of a question. */
export const offerLeads = (leads: readonly Lead[], campaigns: CampaignNames): Choice[] =>
  leads.map(({ id, name, phone, external_id, campaign_id, status }) => ({
    name: `${[name ?? 'no name', phone, external_id, campaigns(campaign_id)].filter(Boolean).join(', ')} (${statusInWords(status)})`,
    value: id,
    keys: [name, phone, external_id].flatMap((key) => key ?? []),
  }))

/** The leads with their ids, for an error message. */
export const listLeads = (leads: readonly Lead[], campaigns: CampaignNames): string[] =>
  leads.map(
    ({ id, campaign_id, name, phone, status }) =>
      `${id}  ${name ?? 'no name'}, ${phone}, ${status} (${campaigns(campaign_id)})`,
  )

/** Whether the name contains the text and more. */
export function isPartOfName({ name }: Lead, text: string): boolean {
  const [whole, wanted] = [name?.toLowerCase() ?? '', text.trim().toLowerCase()]
  return whole !== wanted && whole.includes(wanted)
}

/** Whether the name has the words of the text next to each other, as `Margaret Olsen` has `olsen`. */
export function hasWords({ name }: Lead, text: string): boolean {
  const words = (some: string) =>
    ` ${some
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .join(' ')} `
  return words(name ?? '').includes(words(text))
}

/**
 * Whether the only lead that a search found may be taken without a question. A few digits, or a part of an external id, may be
 * a mistyped word for another lead: `crm-13` is not `crm-137`.
 */
export function isNear(lead: Lead, text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  const isFoundOtherwise = !matchesLead(lead, text)
  const hasName = matchesLead({ ...lead, phone: '', external_id: null, email: null }, text)
  const hasEmail = lead.email?.toLowerCase() === text.trim().toLowerCase()
  const hasNumber =
    digits.length >= sureDigits && matchesLead({ ...lead, name: null, external_id: null, email: null }, text)
  return isFoundOtherwise || hasName || hasEmail || hasNumber
}
