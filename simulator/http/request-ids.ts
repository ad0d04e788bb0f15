/** Request ids (rule C5). They follow from the seed and the number of starts, so they are repeatable and unique. */
import type { World } from '../model/world.js'

export class RequestIds {
  #count = 0
  #start: number

  constructor(readonly world: World) {
    this.#start = Number(world.setting('starts') ?? 0)
    world.store.transaction(() => this.goOn())
  }

  /** Starts again at the first id, in the step that resets the world. */
  restart(): void {
    this.#count = 0
    this.#start = 0
    this.goOn()
  }

  /** Counts one more start, in the step that restores a world. */
  goOn(): void {
    this.world.set('starts', String(this.#start + 1))
  }

  next(): string {
    return `req_${this.world.ids.uuid(`request/${this.#start}`, this.#count++).replaceAll('-', '')}`
  }
}
