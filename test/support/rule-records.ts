/** Records for unit tests of rules: a campaign, a lead and an organization with only what a rule reads. */
import { instant, type Instant } from '../../simulator/kernel/instant.js'
import { weekdays } from '../../src/phone/offset.js'
import type { Campaign } from '../../simulator/model/campaign.js'
import type { ApiKey } from '../../simulator/model/api-key.js'
import type { Lead } from '../../simulator/model/lead.js'
import type { Tenant } from '../../simulator/model/world.js'

export const at = (iso: string): Instant => instant(Date.parse(iso))

/** A Thursday, 11:00 in New York. */
export const noonish = at('2026-10-01T15:00:00Z')
export const phone = '+12125557812'

/** A running campaign that calls from 09:00 to 17:00 every day. */
export function campaignWith(facts: Partial<Campaign> = {}): Campaign {
  const calling_hours = Object.fromEntries(weekdays.map((day) => [day, [['09:00', '17:00']]]))
  return {
    ...{ n: 1, id: 'campaign', organization: 1, name: 'Autumn', status: 'running', lines: 5, calling_hours },
    ...{ any_hour: false, consent_required: false, call_now_default: false, late_after_minutes: 15 },
    ...{ duplicate_window_days: 30, max_attempts: 3, retire_after_failures: 4, spend_cap_usd: null, spent_usd: 0 },
    ...{ created: noonish, updated: noonish },
    ...facts,
  }
}

/** A queued lead in New York that was accepted now and can be called at once. */
export function leadWith(facts: Partial<Lead> = {}): Lead {
  const lead: Partial<Lead> = {
    ...{ n: 1, tenant: 1, campaign: 1, phone, zone: 'America/New_York', status: 'queued', attempts: 0 },
    ...{ accepted: noonish, not_before: null, not_before_reason: null, taken_out: 0, phone_is_unique: 0, call_now: 0 },
  }
  return { ...lead, ...facts } as Lead
}

export interface OrganizationFacts {
  now?: Instant
  live?: boolean
  /** When the number was last reached by another campaign or an inbound call. */
  lastReached?: Instant | null
  onDncList?: boolean
  retired?: boolean
  /** The campaign's leads. */
  leads?: readonly Lead[]
  waitingFromApi?: number
  /** When calls to the lead began through the API. */
  apiStarts?: readonly Instant[]
  sampleCalls?: number
  goingOn?: object | null
}

/** An organization with only the repositories that the rules read. */
export function organizationWith(facts: OrganizationFacts = {}): Tenant {
  const { leads = [], apiStarts = [] } = facts
  const fake = {
    world: { now: facts.now ?? noonish },
    live: facts.live ?? true,
    campaign: () => campaignWith(),
    dnc: { has: () => facts.onDncList ?? false },
    numbers: { isRetired: () => facts.retired ?? false },
    queues: { of: () => ({ waiting_from_api: facts.waitingFromApi ?? 0 }) },
    calls: {
      lastReached: () => facts.lastReached ?? null,
      countSampleCalls: () => facts.sampleCalls ?? 0,
      listOngoing: () => facts.goingOn ?? null,
    },
    leads: {
      id: (n: number) => `lead-${n}`,
      listByExternalId: (external_id: string) => leads.filter((lead) => lead.external_id === external_id),
      findByPhone: (_campaign: number, number: string) => leads.find((lead) => lead.phone === number) ?? null,
      listApiStarts: (_lead: number, since: Instant) => apiStarts.filter((start) => start > since),
    },
  }
  return fake as unknown as Tenant
}

export const key = { n: 1 } as ApiKey
