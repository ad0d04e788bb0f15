/** Look-ups that must finish before an endpoint's step, because a step cannot wait. */
import type { EndpointName } from '../../src/contract/index.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { checkAddress } from '../../src/webhooks/address.js'
import type { AddressPolicy } from '../webhooks/endpoints.js'
import type { ParsedInput } from './input.js'

export type Preparations = Partial<Record<EndpointName, (input: ParsedInput) => Promise<void>>>

/** Says whether a receiver's host name resolves to permitted addresses only. */
export interface AddressProbe {
  mayReach(url: string): Promise<boolean>
}

/** Resolves the receiver's name when a webhook endpoint gets its URL (rule W1). */
export function preparationsFor(scout: AddressProbe, reach: AddressPolicy): Preparations {
  const lookUp = async ({ body }: ParsedInput) => {
    const { url } = body as { url?: string }
    // The endpoint refuses a URL that is wrong as written, with the reason.
    if (url === undefined || !checkAddress(url, reach).ok || (await scout.mayReach(url))) return
    throw new ApiError(
      'invalid_request',
      'This address cannot be used: its name leads to an address that is not public.',
      { param: 'url' },
    )
  }
  return { createWebhookEndpoint: lookUp, updateWebhookEndpoint: lookUp }
}
