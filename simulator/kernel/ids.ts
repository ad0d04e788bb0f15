/**
 * Ids on the wire, made from row numbers and back without a table: number n of a kind is always the same UUID under
 * one seed, a UUID says its number again, and one of another kind (or another seed) says nothing. So no id is stored
 * or indexed, and an id of another tenant can not even be read.
 */
import { digest, scramble } from './chance.js'

/** Keys of one kind: four rounds for the number, three words for the part that proves the id is ours. */
type Keys = readonly number[]

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex16 = (n: number) => hexOfByte[(n >>> 8) & 255]! + hexOfByte[n & 255]!
const hex32 = (n: number) => hex16(n >>> 16) + hex16(n)

const half = 2 ** 24
const uuidShape = /^([0-9a-f]{8})-([0-9a-f]{4})-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export class Ids {
  readonly #keys = new Map<string, Keys>()

  constructor(readonly seed: number) {}

  /** The UUID (version 4 in form) of row number `n`, 0 to 2^48 - 1, of a kind. */
  uuid(kind: string, n: number): string {
    const keys = this.#keysOf(kind)
    let left = Math.floor(n / half)
    let right = n % half
    for (let round = 0; round < 4; round++) [left, right] = [right, left ^ (scramble(right ^ keys[round]!) & 0xffffff)]
    const high = ((left << 8) | (right >>> 16)) >>> 0
    const a = scramble(high ^ keys[4]!)
    const b = scramble(a ^ right ^ keys[5]!)
    const c = scramble(b ^ keys[6]!)
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
  number(kind: string, id: string): number | null {
    const shape = uuidShape.exec(id.toLowerCase())
    if (!shape) return null
    const high = parseInt(shape[1]!, 16)
    let left = high >>> 8
    let right = ((high & 255) << 16) | parseInt(shape[2]!, 16)
    const keys = this.#keysOf(kind)
    for (let round = 3; round >= 0; round--) [left, right] = [right ^ (scramble(left ^ keys[round]!) & 0xffffff), left]
    const n = left * half + right
    return this.uuid(kind, n) === id.toLowerCase() ? n : null
  }

  #keysOf(kind: string): Keys {
    let keys = this.#keys.get(kind)
    if (!keys) {
      keys = Array.from({ length: 7 }, (_, i) => digest(this.seed, `${kind}/${i}`))
      this.#keys.set(kind, keys)
    }
    return keys
  }
}
