/**
 * Signed links to files, valid without a key for a limited time. A secret of the world signs the path and the expiry.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { after, instant, type Duration, type Instant } from '../kernel/instant.js'
import type { World } from '../model/world.js'

export interface SignedLink {
  url: string
  expires: Instant
}

export class SignedLinks {
  /** `origin` is the address of the simulator without a path. */
  constructor(
    readonly world: World,
    readonly origin: () => string,
  ) {}

  /** Creates a link that is valid for `length` of simulated time. */
  make(path: string, length: Duration): SignedLink {
    const expires = after(this.world.now, length)
    return { url: `${this.origin()}${path}?expires=${expires}&signature=${this.#sign(path, expires)}`, expires }
  }

  /** Refuses a link with a wrong signature or a link that has expired. */
  check(path: string, { expires, signature }: { expires: string; signature: string }): void {
    const [sent, expected] = [Buffer.from(signature), Buffer.from(this.#sign(path, expires))]
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
      throw new ApiError('permission_denied', 'The link is not signed for this file; ask for a new one.', {
        reason: 'wrong_signature',
      })
    }
    if (this.world.now >= instant(Number(expires))) {
      throw new ApiError('permission_denied', 'The link has expired; ask for a new one.', { reason: 'expired' })
    }
  }

  #sign(path: string, expires: string | number): string {
    return createHmac('sha256', this.world.secrets.key('signed-links'))
      .update(`${path}?expires=${expires}`)
      .digest('hex')
  }
}
