/**
 * Derives the secrets of a world from its root secret by name. HMAC-SHA-256 is one-way: a secret reveals no other
 * secret, and ids, which come from the seed, reveal none.
 */
import { createHmac, randomBytes } from 'node:crypto'

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export class Secrets {
  readonly #root: Buffer

  constructor(root: Buffer) {
    this.#root = root
  }

  /** The 32-byte key for a name. */
  key(name: string): Buffer {
    return createHmac('sha256', this.#root).update(name).digest()
  }

  /** A text of letters and digits for a name. */
  text(name: string, length: number): string {
    const letters = alphanumeric.length
    let text = ''
    for (let block = 0; text.length < length; block++) {
      // Skips bytes that would make the first letters of the alphabet more likely.
      const bytes = this.key(`${name}/${block}`).filter((byte) => byte < 256 - (256 % letters))
      for (const byte of bytes) text += alphanumeric[byte % letters]
    }
    return text.slice(0, length)
  }
}

/** A root secret that cannot be guessed. */
export const randomRoot = (): Buffer => randomBytes(32)

/**
 * A root secret that follows from a seed and can be guessed like it: only for worlds that no other machine can reach.
 */
export const rootOfSeed = (seed: number): Buffer => createHmac('sha256', 'secrets of a seed').update(`${seed}`).digest()
