/** Webhook endpoints: made, and what they may be. */
import type { EventType } from '../../src/contract/events.js'
import { webhookEndpointsPerOrganization } from '../../src/contract/limits.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { checkAddress } from '../../src/webhooks/address.js'
import { after, hours } from '../kernel/instant.js'
import type { Endpoint } from '../model/endpoint.js'
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

/** Where webhooks may go; what the name leads to is looked up before, by the caller. */
export interface AddressPolicy {
  allowLocal: boolean
}

/** The address as it was written; one that may not be used is refused (specification, Webhook endpoints; ranges by decision). */
function usableUrl(written: string, { allowLocal }: AddressPolicy): string {
  const address = checkAddress(written, { allowLocal })
  if (address.ok) return written
  const wouldDo = !allowLocal && checkAddress(written, { allowLocal: true }).ok
  const hint = wouldDo ? ' The simulator takes it when it is started with --allow-local-webhooks.' : ''
  throw new ApiError('invalid_request', `This address cannot be used: ${address.problem}${hint}`, {
    param: 'url',
  })
}

/** Live and test endpoints together (by decision). */
function checkRoom(organization: Tenant): void {
  const { world, n } = organization
  const count = modes.reduce((sum, mode) => sum + world.tenant(tenantNumberOf(n, mode)).endpoints.all().length, 0)
  if (count < webhookEndpointsPerOrganization) return
  throw new ApiError(
    'limit_reached',
    `An organization has at most ${webhookEndpointsPerOrganization} webhook endpoints.`,
  )
}

export function createEndpoint(organization: Tenant, words: EndpointInput, reach: AddressPolicy): Endpoint {
  const { world, endpoints } = organization
  const url = usableUrl(words.url, reach)
  checkRoom(organization)
  const endpoint = endpoints.add({
    url,
    events: [...new Set(words.events)],
    campaign_ids: words.campaign_ids && [...new Set(words.campaign_ids)],
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
  { status, ...words }: EndpointChanges,
  reach: AddressPolicy,
): void {
  organization.endpoints.change(endpoint, {
    ...(words.url !== undefined && { url: usableUrl(words.url, reach) }),
    ...(words.events && { events: [...new Set(words.events)] }),
    ...(words.campaign_ids !== undefined && { campaign_ids: words.campaign_ids && [...new Set(words.campaign_ids)] }),
    updated: organization.world.now,
  })
  if (status === 'paused' && endpoint.status === 'active') pauseEndpoint(organization, endpoint)
  if (status === 'active' && endpoint.status === 'paused') resumeEndpoint(organization, endpoint)
}

/** Makes a new secret; the old one signs along for so many hours, one still older stops at once (by decision). */
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
