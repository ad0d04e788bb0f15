/** The checks before every API endpoint, in order: key, rate limits, permissions (rule K7). */
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import type { ErrorCode } from '../../src/contract/errors/error-codes.js'
import type { Allowance, Quotas } from './quotas.js'
import type { World } from '../model/world.js'
import { authenticate } from './authentication.js'
import { Principal } from './principal.js'

/** State of a request during and after the checks. */
export interface RequestContext {
  caller: Principal | null
  allowance: Allowance | null
  /** The code of the error it was answered with. */
  refusal: ErrorCode | null
  /** The injected fault that affects the request. */
  fault: string | null
  /** Ends the request's share of the concurrent requests (rule L1). */
  leave: () => void
}

/** Fills the context as far as the checks succeed, and throws the first error. The order is rule K7. */
export function passGate(
  world: World,
  quotas: Quotas,
  endpoint: Endpoint | null,
  authorization: string | undefined,
  context: RequestContext,
): void {
  const key = authenticate(world, authorization)
  const caller = new Principal(world, key)
  context.caller = caller
  world.requests.add(caller.tenant.n, key.n, world.now)
  const plan = world.organizations.get(key.organization).requests_per_minute
  context.allowance = quotas.allowance(key, plan)
  context.leave = quotas.enter(key)
  quotas.request(key, plan)
  context.allowance = quotas.allowance(key, plan)
  if (!endpoint) return
  for (const permission of endpoint.permissions) caller.require(permission)
  if (endpoint.everyCampaign) caller.requireEveryCampaign()
}
