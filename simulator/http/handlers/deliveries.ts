/** Serves the deliveries of a webhook endpoint: listed, sent again, and samples. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { deliver, resend } from '../../webhooks/deliveries.js'
import { sampleEvent } from '../../webhooks/sample-events.js'
import { deliveryOnWire } from '../../model/serialize/resources.js'
import type { Endpoint } from '../../model/endpoint.js'
import type { Caller } from '../principal.js'
import { cursorNumber } from '../cursor.js'
import { accepted, pageOf, type Handlers } from '../handler.js'
import { theEndpoint } from './webhook-endpoints.js'

export const deliveryHandlers: Pick<Handlers, 'testWebhookEndpoint' | 'listDeliveries' | 'resendDelivery'> = {
  testWebhookEndpoint: (caller, { params, body: { type } }) => {
    const { organization, world } = caller
    const endpoint = active(theEndpoint(caller, params.id))
    const [campaign] = endpoint.campaign_ids ?? world.campaigns.of(organization.n).map(({ id }) => id)
    const id = `evt_${world.ids.uuid(`sample/${organization.tenant}`, organization.deliveries.nextNumber()).replaceAll('-', '')}`
    const event = sampleEvent(world.ids, type, {
      id,
      campaignId: campaign ?? world.ids.uuid('sample/campaign', 1),
      now: world.now,
    })
    const letter = { event: null, campaign: null, event_id: id, event_type: type, sample: JSON.stringify(event) }
    return accepted({ ...deliveryOnWire(organization, deliver(organization, endpoint, letter)), event })
  },
  listDeliveries: (caller, { params, query }) => {
    const { organization } = caller
    const endpoint = theEndpoint(caller, params.id)
    const before = cursorNumber(query.starting_after, (id) => theDelivery(caller, endpoint, id)?.n)
    const filter = { status: query.status, scope: caller.scope }
    const rows = organization.deliveries.page(endpoint.n, filter, before, query.limit + 1)
    return pageOf(rows, query.limit, (delivery) => deliveryOnWire(organization, delivery))
  },
  resendDelivery: (caller, { params }) => {
    const { organization } = caller
    const endpoint = theEndpoint(caller, params.id)
    const delivery = theDelivery(caller, endpoint, params.delivery_id)
    if (!delivery) throw new Refusal('not_found', 'There is no such delivery.')
    const again = resend(organization, active(endpoint), delivery)
    if (!again) throw new Refusal('not_found', 'The event of this delivery is kept no more.')
    return accepted(deliveryOnWire(organization, again))
  },
}

function active(endpoint: Endpoint): Endpoint {
  if (endpoint.status === 'paused')
    throw new Refusal('endpoint_paused', 'The webhook endpoint is paused; resume it first.')
  return endpoint
}

/** One whose event the key could not see is not there: the endpoint may have had other campaigns before. */
function theDelivery({ organization, scope }: Caller, endpoint: Endpoint, id: string) {
  const n = organization.deliveries.number(id)
  const delivery = n === null ? null : organization.deliveries.get(n)
  if (delivery?.endpoint !== endpoint.n) return null
  const { event, campaign } = delivery
  return scope === null || event === null || (campaign !== null && scope.includes(campaign)) ? delivery : null
}
