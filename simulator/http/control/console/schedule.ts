/** Serves the next appointments and the calling hours of one tenant. */
import type { ZoneHours } from '../../../../src/contract/control/schedule.js'
import { zonesOfKey } from '../../../../src/phone/zones.js'
import type { CallingWindows } from '../../../../src/phone/windows.js'
import { after, hours, instant, toIso, toIsoOrNull, type Instant } from '../../../kernel/instant.js'
import { describeAppointment } from '../../../dialing/agenda-descriptions.js'
import { callingWindowsOf } from '../../../../src/dialing/eligibility.js'
import type { Tenant } from '../../../model/world.js'
import { replyOk, type ControlHandlers } from '../../handler.js'
import { tenantNamed, type ControlContext } from '../context.js'

/** Appointments of all tenants that are looked at for those of one tenant. */
const readMost = 2_000
const dayMs = 86_400_000
const hourMs = 3_600_000

export function scheduleHandlers(context: ControlContext): Pick<ControlHandlers, 'getSchedule'> {
  const { world, steps } = context
  return {
    getSchedule: ({ query }) =>
      steps.read(() => {
        const tenant = tenantNamed(context, query)
        const from = instant(Math.floor(world.now / hourMs) * hourMs)
        const isOwn = (owner: number | undefined) => owner === tenant.n
        return replyOk({
          now: toIso(world.now),
          appointments: world.agenda
            .upcoming(readMost)
            .filter(({ task }) => task.kind === 'retention' || isOwn(task.tenant))
            .slice(0, query.limit)
            .map((appointment) => describeAppointment(world, appointment)),
          from: toIso(from),
          hours: zoneHours(tenant, from),
        })
      }),
  }
}

function zoneHours(tenant: Tenant, from: Instant): ZoneHours[] {
  const { world, leads } = tenant
  const groups = new Set([...leads.groups.forCampaign('queued'), ...leads.groups.forCampaign('scheduled')])
  const waiting = new Set([...groups].map(({ campaign }) => campaign))
  // A campaign without waiting leads shows its hours in the time zone of the organization.
  const others = world.campaigns
    .listByOrganization(tenant.organizationNumber)
    .filter(({ n, status }) => status === 'running' && !waiting.has(n))
    .map(({ n }) => ({ campaign: n, zone: tenant.record.time_zone, queued: 0, scheduled: 0 }))
  return [...groups, ...others].flatMap(({ campaign: n, zone, queued, scheduled }) => {
    const campaign = world.campaigns.get(n)
    const windows = callingWindowsOf(campaign, zone)
    if (zone === '') return []
    return {
      campaign_id: campaign.id,
      campaign: campaign.name,
      zone: zonesOfKey(zone).join(', '),
      queued,
      scheduled,
      is_open: windows?.isOpen(world.now) ?? true,
      changes_at: windows ? toIsoOrNull(windows.nextChange(world.now)) : null,
      open: windows ? openSpans(windows, from) : [{ from: toIso(from), to: toIso(after(from, hours(24))) }],
    }
  })
}

/** When calls are allowed in the 24 hours from a moment. */
function openSpans(windows: CallingWindows, from: Instant): ZoneHours['open'] {
  const end = from + dayMs
  const spans: ZoneHours['open'] = []
  for (let at: number = from; at < end;) {
    const open = windows.firstOpen(at)
    if (open === null || open >= end) break
    const close = Math.min(windows.closesAt(open) ?? end, end)
    spans.push({ from: toIso(instant(open)), to: toIso(instant(close)) })
    at = close
  }
  return spans
}
