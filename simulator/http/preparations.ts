/** What must be looked up outside the world before an endpoint runs its one step, since a step cannot wait. */
import type { EndpointName } from '../../src/contract/index.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { checkAddress } from '../../src/webhooks/address.js'
import type { AddressPolicy } from '../webhooks/endpoints.js'
import type { ParsedInput } from './input.js'

export type Preparations = Partial<Record<EndpointName, (input: ParsedInput) => Promise<void>>>

/** Says whether a receiver's name leads to no forbidden address. */
export interface AddressProbe {
  mayReach(url: string): Promise<boolean>
}

/** A receiver's name is looked up when its address is given (by decision: Addresses). */
export function preparationsFor(scout: AddressProbe, reach: AddressPolicy): Preparations {
  const lookUp = async ({ body }: ParsedInput) => {
    const { url } = body as { url?: string }
    // An address that is wrong as it is written is the endpoint's to refuse, with its reason.
    if (url === undefined || !checkAddress(url, reach).ok || (await scout.mayReach(url))) return
    throw new ApiError(
      'invalid_request',
      'This address cannot be used: its name leads to an address that is not public.',
      { param: 'url' },
    )
  }
  return { createWebhookEndpoint: lookUp, updateWebhookEndpoint: lookUp }
}
