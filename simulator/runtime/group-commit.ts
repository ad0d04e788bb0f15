/** Runs steps that arrive at the same time in one commit. Waiting for the disk is most of the cost of a small step. */
import type { World } from '../model/world.js'

interface Part {
  work: () => unknown
  resolve: (done: unknown) => void
  reject: (error: unknown) => void
  failed?: { error: unknown }
}

export class GroupCommit {
  #waiting: Part[] = []

  constructor(
    /** Resolves after pending input was read. */
    readonly pendingInput: () => Promise<void>,
    readonly world: World,
    /** Runs all work as one step. */
    readonly step: (work: () => unknown[]) => unknown[],
  ) {}

  /**
   * Adds work to the next commit, after pending I/O. Resolves after the commit. Each part can fail without the others.
   */
  add<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (done: unknown) => void, reject })
      if (this.#waiting.length === 1) void this.pendingInput().then(() => this.#stepAll())
    })
  }

  #stepAll(): void {
    const all = this.#waiting
    this.#waiting = []
    // A single part needs no savepoint: it fails with its step.
    const run = all.length === 1 ? ({ work }: Part) => work() : (part: Part) => this.#attempt(part)
    try {
      const done = this.step(() => all.map(run))
      all.forEach(({ failed, resolve }, i) => failed || resolve(done[i]))
    } catch (error) {
      for (const part of all) part.failed ??= { error }
    }
    for (const { failed, reject } of all) if (failed) reject(failed.error)
  }

  #attempt(part: Part): unknown {
    try {
      return this.world.attempt(part.work)
    } catch (error) {
      // A disk error may have ended the whole transaction, with the parts before this one.
      if (!this.world.store.inTransaction) throw error
      part.failed = { error }
      return undefined
    }
  }
}
