/**
 * Converts row numbers to UUIDs and back without a table (rule C5). Number n of a kind always has the same UUID under
 * one seed. A UUID of another kind or seed is not recognized. So ids are neither stored nor indexed, and ids of another
 * tenant cannot be read.
 */
import { hashText, mixBits } from './random.js'

/** Keys of one kind: four for the Feistel rounds, three for the check bits. */
type Keys = readonly number[]

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex16 = (n: number) => hexOfByte[(n >>> 8) & 255]! + hexOfByte[n & 255]!
const hex32 = (n: number) => hex16(n >>> 16) + hex16(n)

const half = 2 ** 24
const uuidShape = /^([0-9a-f]{8})-([0-9a-f]{4})-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Size of the cache of recent ids. Rows in use are named often. */
const kept = 1024

/** The ids of one kind. */
export class IdsOfKind {
  #keys: Keys = []
  #written: { n: number; id: string }[] = []

  constructor(
    seed: number,
    readonly kind: string,
  ) {
    this.reseed(seed)
  }

  reseed(seed: number): void {
    this.#keys = Array.from({ length: 7 }, (_, i) => hashText(seed, `${this.kind}/${i}`))
    this.#written = []
  }

  /** The UUID (in version 4 form) of row number `n`, 0 to 2^48 - 1. */
  uuid(n: number): string {
    const place = n % kept
    const known = this.#written[place]
    if (known?.n === n) return known.id
    const id = this.#write(n)
    this.#written[place] = { n, id }
    return id
  }

  #write(n: number): string {
    const keys = this.#keys
    let left = Math.floor(n / half)
    let right = n % half
    for (let round = 0; round < 4; round++) [left, right] = [right, left ^ (mixBits(right ^ keys[round]!) & 0xffffff)]
    const high = ((left << 8) | (right >>> 16)) >>> 0
    const a = mixBits(high ^ keys[4]!)
    const b = mixBits(a ^ right ^ keys[5]!)
    const c = mixBits(b ^ keys[6]!)
    return (
      hex32(high) +
      '-' +
      hex16(right) +
      '-' +
      hex16(0x4000 | (a & 0x0fff)) +
      '-' +
      hex16(0x8000 | (b & 0x3fff)) +
      '-' +
      hex16(a >>> 16) +
      hex32(c)
    )
  }

  /** The row number of a UUID of this kind, or null if it is not one. */
  number(id: string): number | null {
    const shape = uuidShape.exec(id.toLowerCase())
    if (!shape) return null
    const high = parseInt(shape[1]!, 16)
    let left = high >>> 8
    let right = ((high & 255) << 16) | parseInt(shape[2]!, 16)
    for (let round = 3; round >= 0; round--)
      [left, right] = [right ^ (mixBits(left ^ this.#keys[round]!) & 0xffffff), left]
    const n = left * half + right
    return this.uuid(n) === id.toLowerCase() ? n : null
  }
}

/** The ids of one seed. */
export class Ids {
  readonly #kinds = new Map<string, IdsOfKind>()

  #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  get seed(): number {
    return this.#seed
  }

  /** Changes the seed, also for the kinds that were handed out. */
  reseed(seed: number): void {
    this.#seed = seed
    for (const ids of this.#kinds.values()) ids.reseed(seed)
  }

  of(kind: string): IdsOfKind {
    let ids = this.#kinds.get(kind)
    if (!ids) this.#kinds.set(kind, (ids = new IdsOfKind(this.#seed, kind)))
    return ids
  }

  /** The UUID of row number `n` of a kind. */
  uuid(kind: string, n: number): string {
    return this.of(kind).uuid(n)
  }

  /** The row number of a UUID of a kind, or null if it is not one. */
  number(kind: string, id: string): number | null {
    return this.of(kind).number(id)
  }
}
