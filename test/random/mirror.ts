/** What has happened so far, as seen from outside: leads, calls, listed numbers. Plain data, so that it can be copied. */
import type { CallingHours } from '../../src/contract/base/calling-hours.js'
import type { Organization } from '../../src/contract/control/world.js'
import type { Event } from '../../src/contract/events.js'
import { tenantOf } from './journal.js'

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
  /** Dollars a minute. */
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
  /** The key that last brought it in, or asked for its call. */
  key: string | null
  created: number
  /** When it was last sent: the duplicate window runs from here. */
  accepted: number
  /** Where it was before; when it moved, and the number of that move among all that happened. */
  before: string
  moved: number
  moveTurn: number
  /** Since when it is in line. */
  due: number
  /** When it is late, and the limit that was in force when that was set. */
  lateAt: number
  lateLimit: number
  /** When it became call_now; its number among the arrivals, for those of the same moment; its latest arrival. */
  arrived: number
  turn: number
  arrivalTurn: number
  /** Its first `lead.queued` has not come yet. */
  fresh: boolean
  /** Its own time, and why. */
  own: number | null
  ownReason: string | null
  late: boolean
  attempts: number
  takenOut: boolean
  lastOutcome: string | null
  /** Calls asked for through the API. */
  starts: number[]
  /** The key whose request the next call answers; undefined where that is left open. */
  startedBy: string | null | undefined
  /** Its place in line follows from no rule that is written down. */
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
  /** A machine picked up. */
  machine: boolean
  revision: number
  updated: number
  callbackAt: number | null
  /** Where its lead was before an inbound call. */
  leadBefore: string | null
  /** Its number among all that happened. */
  turn: number
  /** The events there were about it that come once. */
  told: string[]
  /** The key whose sample call it is, and for whom it is counted. */
  key: string | null
}

export interface Mirror {
  now: number
  /** Counts all that happened. */
  turns: number
  campaigns: Map<string, SeenCampaign>
  leads: Map<string, SeenLead>
  calls: Map<string, SeenCall>
  /** Listed numbers by tenant. */
  dnc: Map<string, Set<string>>
  /** Failed calls in a row by `numberKey`, and those that are retired. */
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

/** The calls of a campaign in one mode that hold a line. */
export const onLines = ({ calls }: Mirror, tenant: string, campaign: string): SeenCall[] =>
  [...calls.values()].filter(
    (call) =>
      call.tenant === tenant && call.campaign === campaign && call.direction === 'outbound' && call.status !== 'ended',
  )
