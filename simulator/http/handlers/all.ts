/** Every endpoint of the API with what serves it, in the contract's order; those not served yet say so, loudly. */
import { contract, type EndpointName } from '../../../src/contract/index.js'
import { Refusal } from '../../../src/contract/refusals.js'
import type { Reach } from '../../service/endpoints.js'
import type { Handlers } from '../handler.js'
import { callHandlers } from './calls.js'
import { campaignHandlers } from './campaigns.js'
import { deliveryHandlers } from './deliveries.js'
import { dncHandlers } from './dnc.js'
import { eventHandlers } from './events.js'
import { leadHandlers } from './leads.js'
import { startCallHandlers } from './start-call.js'
import { webhookEndpointHandlers } from './webhook-endpoints.js'

/** Endpoints the simulator does not serve yet. */
export const notServed = [
  'getRecording',
  'listExports',
  'createExport',
  'getUsage',
] as const satisfies readonly EndpointName[]

type NotServed = (typeof notServed)[number]

function refuse(name: NotServed): () => never {
  const { method, path } = contract[name]
  return () => {
    throw new Refusal('not_simulated', `The simulator does not serve ${method} ${path} yet.`)
  }
}

const loudly = Object.fromEntries(notServed.map((name) => [name, refuse(name)])) as { [N in NotServed]: () => never }

export const handlersFor = (reach: Reach): Handlers => ({
  ...loudly,
  ...callHandlers,
  ...startCallHandlers,
  ...dncHandlers,
  ...leadHandlers,
  ...webhookEndpointHandlers(reach),
  ...deliveryHandlers,
  ...eventHandlers,
  ...campaignHandlers,
})
