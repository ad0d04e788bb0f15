/** Serves deliveries of a webhook endpoint: list, resend, and test events. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { createDelivery, resendDelivery } from '../../webhooks/deliveries.js'
import { sampleEvent } from '../../webhooks/sample-events.js'
import { serializeDelivery } from '../../model/serialize/resources.js'
import type { Endpoint } from '../../model/webhooks/endpoint.js'
import type { Principal } from '../principal.js'
import { cursorNumber } from '../cursor.js'
import { replyAccepted, replyPage, type Handlers } from '../handler.js'
import { requireEndpoint } from './webhook-endpoints.js'

export const deliveryHandlers: Pick<Handlers, 'testWebhookEndpoint' | 'listDeliveries' | 'resendDelivery'> = {
  testWebhookEndpoint: (caller, { params, body: { type } }) => {
    const { tenant, world } = caller
    const endpoint = requireActive(requireEndpoint(caller, params.id))
    const [campaign] =
      endpoint.campaign_ids ?? world.campaigns.listByOrganization(tenant.organizationNumber).map(({ id }) => id)
    const id = `evt_${world.ids.uuid(`sample/${tenant.n}`, tenant.deliveries.nextNumber()).replaceAll('-', '')}`
    const event = sampleEvent(world.ids, type, {
      id,
      campaignId: campaign ?? world.ids.uuid('sample/campaign', 1),
      now: world.now,
    })
    const sample = { event: null, campaign: null, event_id: id, event_type: type, sample: JSON.stringify(event) }
    return replyAccepted({ ...serializeDelivery(tenant, createDelivery(tenant, endpoint, sample)), event })
  },
  listDeliveries: (caller, { params, query }) => {
    const { tenant } = caller
    const endpoint = requireEndpoint(caller, params.id)
    const before = cursorNumber(query.starting_after, (id) => requireDelivery(caller, endpoint, id)?.n)
    const filter = { status: query.status, scope: caller.scope }
    const rows = tenant.deliveries.page(endpoint.n, filter, before, query.limit + 1)
    return replyPage(rows, query.limit, (delivery) => serializeDelivery(tenant, delivery))
  },
  resendDelivery: (caller, { params }) => {
    const { tenant } = caller
    const endpoint = requireEndpoint(caller, params.id)
    const delivery = requireDelivery(caller, endpoint, params.delivery_id)
    if (!delivery) throw new ApiError('not_found', 'There is no such delivery.')
    const again = resendDelivery(tenant, requireActive(endpoint), delivery)
    if (!again) throw new ApiError('not_found', 'The event of this delivery is past its retention period.')
    return replyAccepted(serializeDelivery(tenant, again))
  },
}

function requireActive(endpoint: Endpoint): Endpoint {
  if (endpoint.status === 'paused')
    throw new ApiError('endpoint_paused', 'The webhook endpoint is paused. Resume it first.')
  return endpoint
}

/**
 * Finds a delivery of the endpoint. Returns null if the key cannot see its event: the endpoint may have had other
 * campaigns.
 */
function requireDelivery({ tenant, scope }: Principal, endpoint: Endpoint, id: string) {
  const n = tenant.deliveries.number(id)
  const delivery = n === null ? null : tenant.deliveries.get(n)
  if (delivery?.endpoint !== endpoint.n) return null
  const { event, campaign } = delivery
  return scope === null || event === null || (campaign !== null && scope.includes(campaign)) ? delivery : null
}
