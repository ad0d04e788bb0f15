/** Passes notices of committed changes to the listeners that follow the world. */
import type { Notification, World } from '../model/world.js'

export type Listener = (notice: Notification) => void

export class Listeners {
  readonly #all = new Set<Listener>()

  constructor(
    readonly world: World,
    /** Called when a listener fails. The change stays committed. */
    readonly onFailure: (error: unknown) => void,
  ) {}

  /** Adds a listener. Returns the function that removes it. */
  add(listener: Listener): () => void {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  /** Passes on the notices of the transaction that was just committed. */
  tell(): void {
    for (const notice of this.world.notices.splice(0))
      for (const listener of this.#all) {
        try {
          listener(notice)
        } catch (error) {
          this.onFailure(error)
        }
      }
  }
}
