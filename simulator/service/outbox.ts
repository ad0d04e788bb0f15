/** Events, written with the change that caused them, and handed to the endpoints that want them. */
import { toIso } from '../kernel/instant.js'
import type { Organization } from '../world/world.js'
import { apiVersion, type EventType } from '../../src/contract/events.js'
import { deliver } from './deliveries.js'

/** Records an event about a lead or a call as the read endpoint gives it, with the event's own fields beside it. */
export function emit(
  organization: Organization,
  type: EventType,
  campaign: number | null,
  object: object,
  extra: object = {},
): void {
  const { world, events, tenant, live } = organization
  const n = events.nextNumber()
  const id = events.id(n)
  const body = JSON.stringify({
    id,
    type,
    created: toIso(world.now),
    livemode: live,
    api_version: apiVersion,
    data: { object, ...extra },
  })
  events.add({ n, campaign, type, created: world.now, body })
  world.notice(() => ({ kind: 'event', tenant, type, body }))
  const campaignId = campaign === null ? null : organization.campaign(campaign).id
  for (const endpoint of organization.endpoints.all()) {
    if (!endpoint.events.includes(type)) continue
    if (endpoint.campaign_ids && (campaignId === null || !endpoint.campaign_ids.includes(campaignId))) continue
    deliver(organization, endpoint, { event: n, campaign, event_id: id, event_type: type })
  }
}
