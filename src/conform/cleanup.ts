/** Undoes what a run changed, in reverse order. */

export interface Undo {
  /** What stays if it fails: "the webhook endpoint ...". */
  what: string
  undo: () => Promise<void>
}

export class Cleanup {
  readonly #undos: Undo[] = []

  /** Adds a step. The returned function drops it, for what the run undid itself. */
  add(what: string, undo: () => Promise<void>): () => void {
    const step = { what, undo }
    this.#undos.push(step)
    return () => {
      const at = this.#undos.indexOf(step)
      if (at >= 0) this.#undos.splice(at, 1)
    }
  }

  get size(): number {
    return this.#undos.length
  }

  /** Undoes everything and returns what stays. */
  async run(): Promise<string[]> {
    const stays: string[] = []
    for (let step = this.#undos.pop(); step; step = this.#undos.pop()) {
      try {
        await step.undo()
      } catch {
        stays.push(`${step.what} could not be removed.`)
      }
    }
    return stays
  }
}
