/**
 * Derives the secrets of a world from its root secret. Each has a name of its own, and HMAC-SHA-256 is one-way: one
 * secret says nothing about another, and ids, which come from the seed, say nothing about any.
 */
import { createHmac, randomBytes } from 'node:crypto'

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export class Secrets {
  readonly #root: Buffer

  constructor(root: Buffer) {
    this.#root = root
  }

  /** The 32 bytes of a name. */
  key(name: string): Buffer {
    return createHmac('sha256', this.#root).update(name).digest()
  }

  /** A text of letters and digits for a name. */
  text(name: string, length: number): string {
    const letters = alphanumeric.length
    let text = ''
    for (let block = 0; text.length < length; block++) {
      // Bytes above the last multiple of the alphabet would make its first letters likelier.
      const bytes = this.key(`${name}/${block}`).filter((byte) => byte < 256 - (256 % letters))
      for (const byte of bytes) text += alphanumeric[byte % letters]
    }
    return text.slice(0, length)
  }
}

/** A root secret that cannot be guessed. */
export const randomRoot = (): Buffer => randomBytes(32)

/** A root secret that follows from a seed, and can be guessed as easily: for worlds that only this machine can reach. */
export const rootOfSeed = (seed: number): Buffer => createHmac('sha256', 'secrets of a seed').update(`${seed}`).digest()
