/** Serves endpoints of the API on the control plane, for an organization and a mode instead of a key. */
import { onBehalfEndpoints, type OnBehalfName } from '../../../src/contract/control/on-behalf.js'
import { permissions } from '../../../src/contract/permissions.js'
import { isWrite } from '../../../src/contract/base/endpoint.js'
import type { ApiKey, Mode } from '../../model/api-key.js'
import type { AnyAnswer, ControlHandlers } from '../handler.js'
import type { ParsedInput } from '../input.js'
import { Principal } from '../principal.js'
import { organizationFor, type ControlContext } from './context.js'

interface Scope {
  mode: Mode
  organization_id?: string
}

type ApiHandler = (caller: Principal, input: ParsedInput) => AnyAnswer

export function onBehalfHandlers(context: ControlContext): Pick<ControlHandlers, OnBehalfName> {
  const { steps, world, api } = context
  const serve = (name: OnBehalfName) => async (input: ParsedInput) => {
    const { mode, organization_id, ...query } = input.query as Scope
    const asked = { ...input, query }
    const handler = api.handlers[name] as ApiHandler
    await api.preparations[name]?.(asked)
    const run = () =>
      handler(new Principal(world, unlimitedKey(organizationFor(context, organization_id).n, mode)), asked)
    return isWrite(onBehalfEndpoints[name]) ? steps.step(run) : steps.read(run)
  }
  const names = Object.keys(onBehalfEndpoints) as OnBehalfName[]
  return Object.fromEntries(names.map((name) => [name, serve(name)])) as unknown as Pick<ControlHandlers, OnBehalfName>
}

/** A key that exists for one request and may do everything in its mode. */
const unlimitedKey = (organization: number, mode: Mode): ApiKey => ({
  n: 0,
  key_id: 'control',
  secret: '',
  organization,
  mode,
  name: 'Control plane',
  permissions: [...permissions],
  campaign_ids: null,
  status: 'active',
  expires_at: null,
  limits: { concurrent_requests: 1, requests_per_minute: 1, burst: 1, leads_per_minute: 1 },
})
