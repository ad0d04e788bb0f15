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
function checkRoom(organization: Tenant): void {
  const { world, n } = organization
  const count = modes.reduce((sum, mode) => sum + world.tenant(tenantNumberOf(n, mode)).endpoints.all().length, 0)
  if (count < webhookEndpointsPerOrganization) return
  throw new ApiError(
    'limit_reached',
    `An organization has at most ${webhookEndpointsPerOrganization} webhook endpoints.`,
  )
}

export function createEndpoint(organization: Tenant, input: EndpointInput, reach: AddressPolicy): Endpoint {
  const { world, endpoints } = organization
  const url = requireUsableUrl(input.url, reach)
  checkRoom(organization)
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
  endpoints.change(endpoint, { secret: newSecret(world, `endpoint/${organization.tenant}/${endpoint.n}/0`) })
  return endpoint
}

export interface EndpointChanges extends Partial<EndpointInput> {
  status?: Endpoint['status']
}

export function changeEndpoint(
  organization: Tenant,
  endpoint: Endpoint,
  { status, ...input }: EndpointChanges,
  reach: AddressPolicy,
): void {
  organization.endpoints.change(endpoint, {
    ...(input.url !== undefined && { url: requireUsableUrl(input.url, reach) }),
    ...(input.events && { events: [...new Set(input.events)] }),
    ...(input.campaign_ids !== undefined && { campaign_ids: input.campaign_ids && [...new Set(input.campaign_ids)] }),
    updated: organization.world.now,
  })
  if (status === 'paused' && endpoint.status === 'active') pauseEndpoint(organization, endpoint)
  if (status === 'active' && endpoint.status === 'paused') resumeEndpoint(organization, endpoint)
}

/** Generates a new secret. The previous one also signs for the grace period; an older one stops at once (rule W4). */
export function rollSecret(organization: Tenant, endpoint: Endpoint, graceHours: number): void {
  const { world, endpoints } = organization
  const graced = graceHours > 0
  endpoints.change(endpoint, {
    secret: newSecret(world, endpoint.secret),
    previous_secret: graced ? endpoint.secret : null,
    previous_secret_expires_at: graced ? after(world.now, hours(graceHours)) : null,
    updated: world.now,
  })
}
