/** Random numbers from a seed. Each subject has a separate named stream, so that draws for one never affect another. */

/** Mixes 32 bits so that each input bit affects every output bit. */
export function mixBits(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return (x ^ (x >>> 15)) >>> 0
}

/** A 32-bit hash of a text under a seed. */
export function hashText(seed: number, text: string): number {
  let x = mixBits(seed ^ 0x9e3779b9)
  for (let i = 0; i < text.length; i++) x = Math.imul(x ^ text.charCodeAt(i), 0x01000193)
  return mixBits(x ^ text.length)
}

/** One stream of random draws. The same seed and name give the same draws in the same order. */
export class RandomStream {
  #state: number

  constructor(seed: number, name: string) {
    this.#state = hashText(seed, name)
  }

  /** The next 32 bits. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0
    return mixBits(this.#state)
  }

  /** A number from 0 to 1, without 1. */
  fraction(): number {
    return this.bits() / 2 ** 32
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1))
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('nothing to pick from')
    return from[Math.floor(this.fraction() * from.length)] as T
  }

  /** One of the names, with a probability in proportion to its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    let total = 0
    for (const name in weights) total += weights[name]
    let left = this.fraction() * total
    let last: T | undefined
    for (const name in weights) {
      left -= weights[name]
      if (left < 0) return name
      last = name
    }
    return last!
  }

  /** A text of `length` characters of an alphabet. */
  text(length: number, alphabet: string): string {
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[Math.floor(this.fraction() * alphabet.length)]
    return text
  }
}

/** The streams of one seed. */
export class Random {
  constructor(readonly seed: number) {}

  stream(name: string): RandomStream {
    return new RandomStream(this.seed, name)
  }
}
