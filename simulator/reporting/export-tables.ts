/** The columns and rows of each export type. Columns use the API's field names; rows are oldest first. */
import type { ExportType } from '../../src/contract/exports.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { outcomes } from '../../src/contract/enums.js'
import { dayOf, endOfDay, startOfDay } from '../../src/phone/local-day.js'
import type { Call } from '../model/call.js'
import type { TimeRange } from '../storage/list-filter.js'
import type { Tenant } from '../model/world.js'
import { billedMinutes } from './billing.js'
import { isConnected } from './usage.js'
import { serializeCall } from '../model/serialize/calls.js'
import { serializeLead } from '../model/serialize/resources.js'

export interface ExportFilter extends TimeRange {
  /** A campaign's number; null means every campaign. */
  campaign: number | null
}

interface Table {
  /** Paths of fields. A dot separates the parts, as in `consent.source`. */
  columns: readonly string[]
  rows: (tenant: Tenant, filter: ExportFilter) => Iterable<object>
}

/** One day of a campaign in the organization's time zone. A call belongs to the day it started. */
export interface CampaignDay {
  day: string
  campaign_id: string | null
  campaign_name: string | null
  leads_added: number
  calls: number
  calls_connected: number
  minutes: number
  outcomes: Record<Outcome, number>
}

/** A count of zero for each outcome. */
export const noOutcomes = () => Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>

const splitNames = (text: string) => text.trim().split(/\s+/)

export const exportTables: Readonly<Record<ExportType, Table>> = {
  leads: {
    columns: splitNames(`phone name status last_outcome attempts external_id email address fields
      consent.source consent.agreed_at consent.text consent.url consent.ip lead_source owner.id owner.name created updated
      call_now scheduled_for scheduled_reason held_reason callback_at late last_outcome_label next_dial_at campaign_id id`),
    *rows(tenant, { campaign, ...span }) {
      for (const lead of tenant.leadLists.each(campaign, span)) yield serializeLead(tenant, lead, { inList: true })
    },
  },
  call_history: {
    columns: splitNames(`lead.phone lead.name outcome started duration_seconds status direction outcome_label note
      answered ended updated handled_by.id handled_by.name handled_by.role owner.id owner.name
      tth_seconds callback_at recording_available transcript_available started_by.type started_by.api_key_id
      lead.external_id campaign_id lead.id id`),
    *rows(tenant, { campaign, ...span }) {
      for (const call of tenant.calls.each(campaign, span)) yield serializeCall(tenant, call)
    },
  },
  analytics: {
    columns: [
      ...splitNames('day campaign_id campaign_name leads_added calls calls_connected minutes'),
      ...outcomes.map((outcome) => `outcomes.${outcome}`),
    ],
    rows: campaignDays,
  },
}

function campaignDays(tenant: Tenant, { campaign: only, ...span }: ExportFilter): CampaignDay[] {
  const days = new Map<string, Map<number | null, CampaignDay>>()
  const dayAt = dayFinder(tenant.record.time_zone)
  const at = (moment: number, campaign: number | null): CampaignDay => {
    const day = dayAt(moment)
    const campaigns = days.get(day) ?? new Map<number | null, CampaignDay>()
    const found = campaigns.get(campaign) ?? emptyDay(tenant, day, campaign)
    days.set(day, campaigns.set(campaign, found))
    return found
  }
  for (const { created, campaign } of tenant.leadLists.each(only, span)) at(created, campaign).leads_added++
  for (const call of tenant.calls.each(only, span)) addCall(at(call.started, call.campaign), call)
  return [...days.keys()].sort().flatMap((day) => {
    const campaigns = [...(days.get(day) ?? [])].sort(([a], [b]) => (a ?? 0) - (b ?? 0))
    return campaigns.map(([, found]) => found)
  })
}

function emptyDay(tenant: Tenant, day: string, n: number | null): CampaignDay {
  const campaign = n === null ? null : tenant.campaign(n)
  const counts = { leads_added: 0, calls: 0, calls_connected: 0, minutes: 0, outcomes: noOutcomes() }
  return { day, campaign_id: campaign?.id ?? null, campaign_name: campaign?.name ?? null, ...counts }
}

function addCall(to: CampaignDay, call: Call): void {
  to.calls++
  if (isConnected(call)) to.calls_connected++
  to.minutes += billedMinutes(call)
  if (call.outcome !== null) to.outcomes[call.outcome]++
}

/**
 * Returns a function that finds the day of a moment. It keeps the last day's limits, because moments mostly come in
 * order.
 */
function dayFinder(zone: string): (at: number) => string {
  let [day, from, to] = ['', 0, 0]
  return (at) => {
    if (at < from || at >= to) {
      day = dayOf(zone, at)
      from = startOfDay(zone, day)
      to = endOfDay(zone, day)
    }
    return day
  }
}
