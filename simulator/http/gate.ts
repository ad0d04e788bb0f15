/** What stands before every endpoint of the API, in order: the key, its quotas, its permissions. */
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import type { Allowance, Quotas } from './quotas.js'
import type { World } from '../model/world.js'
import { authenticate } from './authentication.js'
import { Principal } from './principal.js'

/** A request that passed, or is passing, the gate. */
export interface RequestContext {
  caller: Principal | null
  allowance: Allowance | null
  /** Gives the request's place among the running ones back. */
  leave: () => void
}

/** Fills in the passage as far as the request gets; a refusal is thrown (order by decision: Order of the gate). */
export function passGate(
  world: World,
  quotas: Quotas,
  endpoint: Endpoint | null,
  authorization: string | undefined,
  passage: RequestContext,
): void {
  const key = authenticate(world, authorization)
  const caller = new Principal(world, key)
  passage.caller = caller
  world.requests.add(caller.organization.tenant, key.n, world.now)
  const plan = world.organizations.get(key.organization).requests_per_minute
  passage.allowance = quotas.allowance(key, plan)
  passage.leave = quotas.enter(key)
  quotas.request(key, plan)
  passage.allowance = quotas.allowance(key, plan)
  if (!endpoint) return
  for (const permission of endpoint.permissions) caller.require(permission)
  if (endpoint.everyCampaign) caller.requireEveryCampaign()
}
