/** A second implementation of the admission checks: the expected refusal of a request (rule A1). */
import { minuteMs } from './hours.js'
import { fullKeys } from './line.js'
import { campaignOf, isBusy, isLive, numberKey, type Mirror, type SeenLead } from './mirror.js'
import { refused, reserved } from './numbers.js'
import type { OwnKey } from '../run.js'

const dayMs = 24 * 60 * minuteMs
const startsADay = 3

export interface SentLead {
  phone: string
  external_id?: string
  call_now?: boolean
  consent?: object
}

/** The error code, and the existing lead that would be queued again. Both are null if a new lead is accepted. */
export interface Verdict {
  code: string | null
  existing: SeenLead | null
}

/** The verdict on a lead that a key sends. */
export function verdictOn(mirror: Mirror, key: OwnKey, campaignId: string, sent: SentLead): Verdict {
  const { tenant } = key
  const campaign = campaignOf(mirror, campaignId)
  const no = (code: string): Verdict => ({ code, existing: null })
  if (campaign.organization !== key.organization) return no('not_found')
  if (!key.covers.has(campaignId)) return no('permission_denied')
  if (campaign.status === 'completed') return no('campaign_closed')
  const wrong = refused[sent.phone] ?? (reserved.includes(sent.phone) && isLive(tenant) ? 'invalid_phone' : null)
  if (wrong !== null) return no(wrong)
  if (mirror.dnc.get(tenant)?.has(sent.phone)) return no('on_dnc_list')
  if (mirror.retired.has(numberKey(tenant, campaignId, sent.phone))) return no('number_retired')

  const own = [...mirror.leads.values()].filter((lead) => lead.tenant === tenant && lead.campaign === campaignId)
  const byId = own.find(({ external }) => external !== null && external === sent.external_id) ?? null
  const byPhone = own.find(({ phone }) => phone === sent.phone) ?? null
  const windowMs = campaign.duplicate_window_days * dayMs
  const isDuplicate = (lead: SeenLead | null) =>
    lead !== null && (isOnTelephone(mirror, lead) || mirror.now - lead.accepted < windowMs)
  if (isDuplicate(byId) || isDuplicate(byPhone) || (byId && byPhone && byId !== byPhone)) return no('duplicate_lead')
  if (campaign.consent_required && !sent.consent) return no('consent_required')
  const existing = byId ?? byPhone
  const calls = sent.call_now ?? campaign.call_now_default
  if (existing && calls && startsIn24Hours(mirror, existing) >= startsADay) return no('call_limit_reached')
  if (fullKeys(mirror).has(key.key_id)) return no('test_flows_busy')
  return { code: null, existing }
}

/** The verdict on calling an existing lead, by a key or by a person who puts it back into the queue. */
export function callVerdict(mirror: Mirror, lead: SeenLead, key: OwnKey | null): string | null {
  if (key && (lead.tenant !== key.tenant || !key.covers.has(lead.campaign))) return 'not_found'
  if (campaignOf(mirror, lead.campaign).status === 'completed') return 'campaign_closed'
  if (mirror.dnc.get(lead.tenant)?.has(lead.phone)) return 'on_dnc_list'
  if (mirror.retired.has(numberKey(lead.tenant, lead.campaign, lead.phone))) return 'number_retired'
  if (key && lead.takenOut) return 'lead_taken_out_of_queue'
  if (isOnTelephone(mirror, lead)) return 'lead_busy'
  if (!key) return null
  if (startsIn24Hours(mirror, lead) >= startsADay) return 'call_limit_reached'
  return fullKeys(mirror).has(key.key_id) ? 'test_flows_busy' : null
}

const startsIn24Hours = ({ now }: Mirror, { starts }: SeenLead): number =>
  starts.filter((at) => at > now - dayMs).length

/** Whether the lead is on a call, even if it has left the queue. */
export function isOnTelephone({ calls }: Mirror, lead: SeenLead): boolean {
  const last = calls.get(lead.calls.at(-1) ?? '')
  return isBusy(lead.status) || (last !== undefined && last.status !== 'ended')
}
