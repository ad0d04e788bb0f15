/** Serves webhook endpoints (rules W1 and W4). */
import { readPermission, type EventType } from '../../../src/contract/events.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { removeEndpoint, resumeEndpoint, sendSkipped } from '../../webhooks/deliveries.js'
import { changeEndpoint, createEndpoint, rollSecret, type AddressPolicy } from '../../webhooks/endpoints.js'
import { serializeEndpoint } from '../../model/serialize/resources.js'
import type { Endpoint } from '../../model/webhooks/endpoint.js'
import type { Principal } from '../principal.js'
import { replyCreated, replyOk, type Handlers } from '../handler.js'

type EndpointHandlers = Pick<
  Handlers,
  | 'createWebhookEndpoint'
  | 'listWebhookEndpoints'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rollSecret'
  | 'resumeWebhookEndpoint'
>

export const webhookEndpointHandlers = (reach: AddressPolicy): EndpointHandlers => ({
  createWebhookEndpoint: (caller, { body }) => {
    const { url, events, campaign_ids = null } = body
    requireReadPermissions(caller, events)
    requireCampaigns(caller, campaign_ids)
    const endpoint = createEndpoint(caller.tenant, { url, events, campaign_ids }, reach)
    return replyCreated({ ...serializeEndpoint(caller.tenant, endpoint), secret: endpoint.secret })
  },
  listWebhookEndpoints: (caller) => {
    const data = caller.tenant.endpoints
      .all()
      .filter((endpoint) => canSee(caller, endpoint))
      .map((endpoint) => serializeEndpoint(caller.tenant, endpoint))
    return { status: 200, body: { data, meta: { next_cursor: null, has_more: false } } }
  },
  getWebhookEndpoint: (caller, { params }) =>
    replyOk(serializeEndpoint(caller.tenant, requireEndpoint(caller, params.id))),
  updateWebhookEndpoint: (caller, { params, body }) => {
    const endpoint = requireEndpoint(caller, params.id)
    if (body.url !== undefined || body.events !== undefined || body.campaign_ids !== undefined) {
      requireReadPermissions(caller, body.events ?? endpoint.events)
    }
    if (body.campaign_ids !== undefined) requireCampaigns(caller, body.campaign_ids)
    changeEndpoint(caller.tenant, endpoint, body, reach)
    return replyOk(serializeEndpoint(caller.tenant, endpoint))
  },
  rollSecret: (caller, { params, body }) => {
    const endpoint = requireEndpoint(caller, params.id)
    rollSecret(caller.tenant, endpoint, body.grace_hours)
    return replyOk({ ...serializeEndpoint(caller.tenant, endpoint), secret: endpoint.secret })
  },
  resumeWebhookEndpoint: (caller, { params, body }) => {
    const { tenant } = caller
    const endpoint = requireEndpoint(caller, params.id)
    if (endpoint.status === 'paused') resumeEndpoint(tenant, endpoint)
    const resent = body.resend_skipped ? sendSkipped(tenant, endpoint, caller.scope) : 0
    return replyOk({ ...serializeEndpoint(tenant, endpoint), resent })
  },
  deleteWebhookEndpoint: (caller, { params }) => {
    const { tenant } = caller
    const endpoint = requireEndpoint(caller, params.id)
    removeEndpoint(tenant, endpoint)
    return replyOk({
      id: tenant.endpoints.id(endpoint.n),
      object: 'webhook_endpoint' as const,
      deleted: true as const,
      livemode: caller.live,
    })
  },
})

/** A key with limited campaigns sees the endpoints whose campaigns it all covers (rule K4). */
function canSee({ key }: Principal, { campaign_ids }: Endpoint): boolean {
  return key.campaign_ids === null || (campaign_ids?.every((id) => key.campaign_ids?.includes(id)) ?? false)
}

export function requireEndpoint(caller: Principal, id: string): Endpoint {
  const endpoint = caller.tenant.endpoints.byId(id)
  if (!endpoint || !canSee(caller, endpoint)) throw new ApiError('not_found', 'There is no such webhook endpoint.')
  return endpoint
}

/** A subscription needs the permission to read the event's data. */
function requireReadPermissions(caller: Principal, events: readonly EventType[]): void {
  for (const type of events) caller.require(readPermission(type))
}

function requireCampaigns(caller: Principal, ids: readonly string[] | null): void {
  if (ids === null) return caller.requireEveryCampaign()
  const param = 'campaign_ids'
  for (const id of ids) {
    if (!caller.campaignToWrite(id, param)) throw new ApiError('not_found', 'There is no such campaign.', { param })
  }
}
