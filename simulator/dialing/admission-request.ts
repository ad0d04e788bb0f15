/**
 * Admission requests: one request to add or call a lead, with the facts that the admission checks read. Each fact is
 * looked up on first use.
 */
import { parsePhone, type PhoneNumber } from '../../src/phone/number.js'
import type { NewLead } from '../../src/contract/new-leads.js'
import { days } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { ApiKey } from '../model/api-key.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { isOnCall } from './lead-transitions.js'

/** The fields of a new lead, by API or app. `lead_source` comes only from people who load leads in the app. */
export type LeadInput = Omit<NewLead, 'campaign_id' | 'dry_run'> & { lead_source?: string | undefined }

export interface AdmissionRequest {
  readonly tenant: Tenant
  /** Null for actions of people in the app. */
  readonly key: ApiKey | null
  /** Null when no campaign has the id. */
  readonly campaign: Campaign | null
  readonly phone: string
  readonly number: PhoneNumber
  /** The number in E.164 form; empty when the phone is not a valid number. */
  readonly e164: string
  readonly consent: object | null
  /** The campaign's leads with the same external id and with the same phone. */
  readonly existing: { readonly external_id: Lead | null; readonly phone: Lead | null }
  /** The field that makes it a duplicate, or null (rule D9). */
  readonly duplicate: 'external_id' | 'phone' | null
  /** The existing lead, if any. */
  readonly lead: Lead | null
  /** Whether it counts toward the limit of API-started calls (rule D15). */
  readonly startsCall: boolean
}

/** A request to add a lead to a campaign. */
export class NewLeadAdmission implements AdmissionRequest {
  readonly phone: string
  readonly number: PhoneNumber
  readonly e164: string
  readonly consent: object | null
  readonly call_now: boolean
  #existing: AdmissionRequest['existing'] | undefined

  constructor(
    readonly tenant: Tenant,
    readonly key: ApiKey | null,
    readonly campaign: Campaign | null,
    readonly input: LeadInput,
  ) {
    this.phone = input.phone
    this.number = parsePhone(input.phone)
    this.e164 = this.number.kind === 'invalid' ? '' : this.number.e164
    this.consent = input.consent ?? null
    this.call_now = input.call_now ?? campaign?.call_now_default ?? false
  }

  get existing(): AdmissionRequest['existing'] {
    return (this.#existing ??= this.#find())
  }

  #find(): AdmissionRequest['existing'] {
    const { campaign, input, e164, tenant } = this
    if (!campaign) return { external_id: null, phone: null }
    const { leads } = tenant
    const external_id = input.external_id
      ? (leads.listByExternalId(input.external_id).find((lead) => lead.campaign === campaign.n) ?? null)
      : null
    return { external_id, phone: leads.findByPhone(campaign.n, e164) }
  }

  get duplicate(): AdmissionRequest['duplicate'] {
    const { campaign, existing, tenant } = this
    if (!campaign) return null
    const window = days(campaign.duplicate_window_days)
    for (const by of ['external_id', 'phone'] as const) {
      const lead = existing[by]
      // A lead on a call is a duplicate even after the duplicate window, so that it is not queued during the call.
      if (lead && (isOnCall(tenant, lead) || tenant.world.now - lead.accepted < window)) return by
    }
    // The two fields match different leads, so the request cannot requeue one of them.
    return existing.external_id && existing.phone && existing.external_id.n !== existing.phone.n ? 'external_id' : null
  }

  get lead(): Lead | null {
    return this.existing.external_id ?? this.existing.phone
  }

  get startsCall(): boolean {
    return this.call_now
  }
}

/** A request to call an existing lead. */
export class CallAdmission implements AdmissionRequest {
  readonly number: PhoneNumber
  readonly campaign: Campaign
  readonly existing = { external_id: null, phone: null }
  readonly duplicate = null
  readonly startsCall = true

  constructor(
    readonly tenant: Tenant,
    readonly key: ApiKey | null,
    readonly lead: Lead,
  ) {
    this.number = parsePhone(lead.phone)
    this.campaign = tenant.campaign(lead.campaign)
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
