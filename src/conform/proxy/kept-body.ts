/** Keeps the bytes of a body while it streams by, up to a limit. */
export class KeptBody {
  readonly #max: number
  #chunks: Buffer[] | null = []
  #length = 0

  constructor(max: number) {
    this.#max = max
  }

  /** True if the body was longer than the limit, and nothing of it is kept. */
  get isOverflowing(): boolean {
    return this.#chunks === null
  }

  add(chunk: Buffer): void {
    if (this.#chunks === null) return
    this.#length += chunk.length
    if (this.#length > this.#max) this.#chunks = null
    else this.#chunks.push(chunk)
  }

  /** The bytes so far; null if there were too many. */
  get bytes(): Buffer | null {
    return this.#chunks && Buffer.concat(this.#chunks)
  }
}
