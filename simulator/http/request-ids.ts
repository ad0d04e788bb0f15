/** Request ids: from the seed and a count of starts, so that they are repeatable and never given twice. */
import type { World } from '../world/world.js'

export class RequestIds {
  #count = 0
  readonly #start: number

  constructor(readonly world: World) {
    this.#start = Number(world.setting('starts') ?? 0)
    world.store.transaction(() => world.set('starts', String(this.#start + 1)))
  }

  next(): string {
    return `req_${this.world.ids.uuid(`request/${this.#start}`, this.#count++).replaceAll('-', '')}`
  }
}
