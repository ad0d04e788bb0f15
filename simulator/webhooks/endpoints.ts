/** Creates and changes webhook endpoints, and checks their URLs (rule W1). */
import type { EventType } from '../../src/contract/events.js'
import { webhookEndpointsPerOrganization } from '../../src/contract/limits.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { checkAddress } from '../../src/webhooks/address.js'
import { after, hours } from '../kernel/instant.js'
import type { Endpoint } from '../model/webhooks/endpoint.js'
import { modes } from '../model/api-key.js'
import { tenantNumberOf } from '../model/organization.js'
import type { Tenant } from '../model/world.js'
import { pauseEndpoint, resumeEndpoint } from './deliveries.js'
import { newSecret } from '../model/new-secret.js'

export interface EndpointInput {
  url: string
  events: readonly EventType[]
  campaign_ids: string[] | null
}

/** Where webhooks may go. The caller resolves the host name before. */
export interface AddressPolicy {
  allowLocal: boolean
}

/** Returns the URL as written, or throws if webhooks may not go there (rule W1). */
function requireUsableUrl(written: string, { allowLocal }: AddressPolicy): string {
  const address = checkAddress(written, { allowLocal })
  if (address.ok) return written
  const wouldDo = !allowLocal && checkAddress(written, { allowLocal: true }).ok
  const hint = wouldDo ? ' The simulator accepts it when it is started with --allow-local-webhooks.' : ''
  throw new ApiError('invalid_request', `This address cannot be used: ${address.problem}${hint}`, {
    param: 'url',
  })
}

/** Checks the limit of endpoints. Live and test endpoints count together (rule W1). */
function checkRoom(tenant: Tenant): void {
  const { world, organizationNumber: n } = tenant
  const count = modes.reduce((sum, mode) => sum + world.tenant(tenantNumberOf(n, mode)).endpoints.all().length, 0)
  if (count < webhookEndpointsPerOrganization) return
  throw new ApiError(
    'limit_reached',
    `An organization has at most ${webhookEndpointsPerOrganization} webhook endpoints.`,
  )
}

export function createEndpoint(tenant: Tenant, input: EndpointInput, reach: AddressPolicy): Endpoint {
  const { world, endpoints } = tenant
  const url = requireUsableUrl(input.url, reach)
  checkRoom(tenant)
  const endpoint = endpoints.add({
    url,
    events: [...new Set(input.events)],
    campaign_ids: input.campaign_ids && [...new Set(input.campaign_ids)],
    status: 'active',
    secret: '',
    previous_secret: null,
    previous_secret_expires_at: null,
    failing_since: null,
    paused_at: null,
    last_success_at: null,
    starts: [],
    created: world.now,
    updated: world.now,
  })
  endpoints.change(endpoint, { secret: newSecret(world, `endpoint/${tenant.n}/${endpoint.n}/0`) })
  return endpoint
}

export interface EndpointChanges extends Partial<EndpointInput> {
  status?: Endpoint['status']
}

export function changeEndpoint(
  tenant: Tenant,
  endpoint: Endpoint,
  { status, ...input }: EndpointChanges,
  reach: AddressPolicy,
): void {
  tenant.endpoints.change(endpoint, {
    ...(input.url !== undefined && { url: requireUsableUrl(input.url, reach) }),
    ...(input.events && { events: [...new Set(input.events)] }),
    ...(input.campaign_ids !== undefined && { campaign_ids: input.campaign_ids && [...new Set(input.campaign_ids)] }),
    updated: tenant.world.now,
  })
  if (status === 'paused' && endpoint.status === 'active') pauseEndpoint(tenant, endpoint)
  if (status === 'active' && endpoint.status === 'paused') resumeEndpoint(tenant, endpoint)
}

/** Generates a new secret. The previous one also signs for the grace period; an older one stops at once (rule W4). */
export function rollSecret(tenant: Tenant, endpoint: Endpoint, graceHours: number): void {
  const { world, endpoints } = tenant
  const graced = graceHours > 0
  endpoints.change(endpoint, {
    secret: newSecret(world, endpoint.secret),
    previous_secret: graced ? endpoint.secret : null,
    previous_secret_expires_at: graced ? after(world.now, hours(graceHours)) : null,
    updated: world.now,
  })
}
