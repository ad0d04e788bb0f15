/**
 * Ids on the wire, made from row numbers and back without a table: number n of a kind is always the same UUID under
 * one seed, a UUID says its number again, and one of another kind (or another seed) says nothing. So no id is stored
 * or indexed, and an id of another tenant can not even be read.
 */
import { hashText, mixBits } from './random.js'

/** Keys of one kind: four rounds for the number, three words for the part that proves the id is ours. */
type Keys = readonly number[]

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex16 = (n: number) => hexOfByte[(n >>> 8) & 255]! + hexOfByte[n & 255]!
const hex32 = (n: number) => hex16(n >>> 16) + hex16(n)

const half = 2 ** 24
const uuidShape = /^([0-9a-f]{8})-([0-9a-f]{4})-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** So many ids of a kind are kept, each at a place of its own: a row that is at work is named again and again. */
const kept = 1024

/** The ids of one kind. */
export class IdsOfKind {
  readonly #keys: Keys
  readonly #written: { n: number; id: string }[] = []

  constructor(seed: number, kind: string) {
    this.#keys = Array.from({ length: 7 }, (_, i) => hashText(seed, `${kind}/${i}`))
  }

  /** The UUID (version 4 in form) of row number `n`, 0 to 2^48 - 1. */
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

  /** The row number behind a UUID of this kind, or null when it is none of ours. */
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

  constructor(readonly seed: number) {}

  of(kind: string): IdsOfKind {
    let ids = this.#kinds.get(kind)
    if (!ids) this.#kinds.set(kind, (ids = new IdsOfKind(this.seed, kind)))
    return ids
  }

  /** The UUID of row number `n` of a kind. */
  uuid(kind: string, n: number): string {
    return this.of(kind).uuid(n)
  }

  /** The row number behind a UUID of a kind, or null when it is none of ours. */
  number(kind: string, id: string): number | null {
    return this.of(kind).number(id)
  }
}
