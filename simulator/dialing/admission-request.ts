/** One request to have somebody called, and what the check table asks about it; each thing is looked up when asked. */
import { parsePhone, type PhoneNumber } from '../../src/phone/number.js'
import type { NewLead } from '../../src/contract/new-leads.js'
import { days } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { ApiKey } from '../model/api-key.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { isOnCall } from './lead-transitions.js'

/** What is said of a new lead, whichever way it came; its source by people who load it in the app. */
export type LeadInput = Omit<NewLead, 'campaign_id' | 'dry_run'> & { lead_source?: string | undefined }

export interface AdmissionRequest {
  readonly organization: Tenant
  /** Null for what people do in the app. */
  readonly key: ApiKey | null
  /** Null when there is none with that id. */
  readonly campaign: Campaign | null
  readonly phone: string
  readonly number: PhoneNumber
  /** The number in its stored form; empty when it is none. */
  readonly e164: string
  readonly consent: object | null
  /** The campaign's leads with the same external id, and with the same number. */
  readonly existing: { readonly external_id: Lead | null; readonly phone: Lead | null }
  /** What makes it a duplicate, or null. */
  readonly duplicate: 'external_id' | 'phone' | null
  /** The lead to be called when it is there already. */
  readonly lead: Lead | null
  /** It counts among the calls a lead can be given through the API. */
  readonly startsCall: boolean
}

/** A lead sent to a campaign. */
export class NewLeadAdmission implements AdmissionRequest {
  readonly phone: string
  readonly number: PhoneNumber
  readonly e164: string
  readonly consent: object | null
  readonly call_now: boolean
  #existing: AdmissionRequest['existing'] | undefined

  constructor(
    readonly organization: Tenant,
    readonly key: ApiKey | null,
    readonly campaign: Campaign | null,
    readonly words: LeadInput,
  ) {
    this.phone = words.phone
    this.number = parsePhone(words.phone)
    this.e164 = this.number.kind === 'invalid' ? '' : this.number.e164
    this.consent = words.consent ?? null
    this.call_now = words.call_now ?? campaign?.call_now_default ?? false
  }

  get existing(): AdmissionRequest['existing'] {
    return (this.#existing ??= this.#find())
  }

  #find(): AdmissionRequest['existing'] {
    const { campaign, words, e164, organization } = this
    if (!campaign) return { external_id: null, phone: null }
    const { leads } = organization
    const external_id = words.external_id
      ? (leads.listByExternalId(words.external_id).find((lead) => lead.campaign === campaign.n) ?? null)
      : null
    return { external_id, phone: leads.findByPhone(campaign.n, e164) }
  }

  get duplicate(): AdmissionRequest['duplicate'] {
    const { campaign, existing, organization } = this
    if (!campaign) return null
    const window = days(campaign.duplicate_window_days)
    for (const by of ['external_id', 'phone'] as const) {
      const lead = existing[by]
      // One on the telephone is never queued again meanwhile, however short the window.
      if (lead && (isOnCall(organization, lead) || organization.world.now - lead.accepted < window)) return by
    }
    // Two old leads cannot both be put back as one.
    return existing.external_id && existing.phone && existing.external_id.n !== existing.phone.n ? 'external_id' : null
  }

  get lead(): Lead | null {
    return this.existing.external_id ?? this.existing.phone
  }

  get startsCall(): boolean {
    return this.call_now
  }
}

/** A call to a lead that is there. */
export class CallAdmission implements AdmissionRequest {
  readonly number: PhoneNumber
  readonly campaign: Campaign
  readonly existing = { external_id: null, phone: null }
  readonly duplicate = null
  readonly startsCall = true

  constructor(
    readonly organization: Tenant,
    readonly key: ApiKey | null,
    readonly lead: Lead,
  ) {
    this.number = parsePhone(lead.phone)
    this.campaign = organization.campaign(lead.campaign)
  }

  get phone(): string {
    return this.lead.phone
  }

  get e164(): string {
    return this.lead.phone
  }

  get consent(): object | null {
    return null
  }
}
