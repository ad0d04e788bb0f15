/** The model of the world as seen from outside: leads, calls, listed numbers. Plain data, so that it can be copied. */
import type { CallingHours } from '../../../src/contract/base/calling-hours.js'
import type { Organization } from '../../../src/contract/control/world.js'
import type { Event } from '../../../src/contract/events.js'
import { tenantOf } from '../journal.js'

export interface SeenCampaign {
  id: string
  organization: string
  status: string
  lines: number
  calling_hours: CallingHours
  any_hour: boolean
  consent_required: boolean
  call_now_default: boolean
  late_after_minutes: number
  duplicate_window_days: number
  max_attempts: number
  retire_after_failures: number
  spend_cap_usd: number | null
  spent_usd: number
  /** Dollars per minute. */
  rate: number
}

export interface SeenLead {
  id: string
  tenant: string
  campaign: string
  phone: string
  external: string | null
  status: string
  callNow: boolean
  /** The key that last added it or requested its call. */
  key: string | null
  created: number
  /** When it was last sent. The duplicate window starts here. */
  accepted: number
  /** Its previous status, the time of that change, and the change's sequence number. */
  before: string
  moved: number
  moveTurn: number
  /** Since when it has been in the queue. */
  due: number
  /** When it becomes late, and the limit in force when that was computed. */
  lateAt: number
  lateLimit: number
  /** When it became call_now, its arrival number for equal times, and its latest arrival. */
  arrived: number
  turn: number
  arrivalTurn: number
  /** True until its first `lead.queued`. */
  fresh: boolean
  /** Its own dial time, and the reason. */
  own: number | null
  ownReason: string | null
  late: boolean
  attempts: number
  takenOut: boolean
  lastOutcome: string | null
  /** Calls requested through the API. */
  starts: number[]
  /** The key whose request the next call belongs to; undefined if that is unknown. */
  startedBy: string | null | undefined
  /** True if no rule determines its position in the queue. */
  unsure: boolean
  calls: string[]
}

export interface SeenCall {
  id: string
  tenant: string
  campaign: string
  lead: string | null
  phone: string
  direction: 'outbound' | 'inbound'
  status: string
  started: number
  answered: number | null
  ended: number | null
  outcome: string | null
  note: string | null
  /** True if a machine answered. */
  machine: boolean
  revision: number
  updated: number
  callbackAt: number | null
  /** The lead's status before an inbound call. */
  leadBefore: string | null
  /** Sequence number. */
  turn: number
  /** The types of one-time events seen for the call. */
  told: string[]
  /** The key that the sample call counts for. */
  key: string | null
}

export interface Mirror {
  now: number
  /** Number of reports so far. */
  turns: number
  campaigns: Map<string, SeenCampaign>
  leads: Map<string, SeenLead>
  calls: Map<string, SeenCall>
  /** Listed numbers by tenant. */
  dnc: Map<string, Set<string>>
  /** Failed calls in a row by `numberKey`, and retired numbers. */
  failures: Map<string, number>
  retired: Set<string>
  /** Events by tenant, oldest first. */
  events: Map<string, Event[]>
}

export const numberKey = (tenant: string, campaign: string, phone: string): string => `${tenant} ${campaign} ${phone}`

export function mirrorOf(organizations: readonly Organization[], now: number): Mirror {
  const tenants = organizations.flatMap(({ id }) => [tenantOf(id, 'live'), tenantOf(id, 'test')])
  const campaigns = organizations.flatMap(({ id, campaigns: some, rate_usd_per_minute: rate }) =>
    some.map((campaign) => ({ ...campaign, organization: id, rate })),
  )
  return {
    now,
    turns: 0,
    campaigns: new Map(campaigns.map((campaign) => [campaign.id, campaign])),
    leads: new Map(),
    calls: new Map(),
    dnc: new Map(tenants.map((tenant) => [tenant, new Set()])),
    failures: new Map(),
    retired: new Set(),
    events: new Map(tenants.map((tenant) => [tenant, []])),
  }
}

export const copyOf = (mirror: Mirror): Mirror => structuredClone(mirror)

export function campaignOf({ campaigns }: Mirror, id: string): SeenCampaign {
  const campaign = campaigns.get(id)
  if (!campaign) throw new Error(`campaign ${id} was never seen`)
  return campaign
}

export function leadOf({ leads }: Mirror, id: string): SeenLead {
  const lead = leads.get(id)
  if (!lead) throw new Error(`lead ${id} was never seen`)
  return lead
}

export const isBusy = (status: string): boolean => status === 'dialing' || status === 'on_call'
export const isWaiting = (status: string): boolean => ['queued', 'scheduled', 'held'].includes(status)
export const isLive = (tenant: string): boolean => tenant.endsWith('/live')

/** The calls of a campaign in one mode that occupy a line. */
export const onLines = ({ calls }: Mirror, tenant: string, campaign: string): SeenCall[] =>
  [...calls.values()].filter(
    (call) =>
      call.tenant === tenant && call.campaign === campaign && call.direction === 'outbound' && call.status !== 'ended',
  )
