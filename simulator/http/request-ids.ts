/** Request ids: from the seed and a count of starts, so that they are repeatable and never given twice. */
import type { World } from '../model/world.js'

export class RequestIds {
  #count = 0
  #start: number

  constructor(readonly world: World) {
    this.#start = Number(world.setting('starts') ?? 0)
    world.store.transaction(() => this.goOn())
  }

  /** Begins anew, as a world does that begins anew. To be called in the step that founds it. */
  restart(): void {
    this.#count = 0
    this.#start = 0
    this.goOn()
  }

  /** A world that was put back counts its starts from here on. To be called in the step that puts it back. */
  goOn(): void {
    this.world.set('starts', String(this.#start + 1))
  }

  next(): string {
    return `req_${this.world.ids.uuid(`request/${this.#start}`, this.#count++).replaceAll('-', '')}`
  }
}
