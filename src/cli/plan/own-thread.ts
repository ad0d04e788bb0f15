/** Runs small planned worlds in the thread of the command. */
import { existsSync } from 'node:fs'
import type { WorldAnswerer } from '../../plan/planned-world.js'
import { builtFile } from './built-file.js'
import { failureOf, stopped, type Job, type OnFree, type ThreadError, type WorldThread } from './world-thread.js'

export class OwnThread implements WorldThread {
  readonly #onFree: OnFree
  readonly #worlds = loadWorlds()
  #job: Job | null = null
  #failure: ThreadError | null = null

  constructor(onFree: OnFree) {
    this.#onFree = onFree
  }

  get isFree(): boolean {
    return this.#job === null && this.#failure === null
  }

  do(job: Job): void {
    if (this.#failure) return job.reject(this.#failure)
    this.#job = job
    void this.#answer(job)
  }

  async #answer(job: Job): Promise<void> {
    const answer = await this.#worlds.then(
      (worlds) => worlds.answer(job.question),
      (error: unknown) => ({ kind: 'failed', message: String(error) }) as const,
    )
    // A plan that was stopped has its error already.
    if (this.#job !== job) return
    this.#job = null
    if (answer.kind === 'failed') {
      this.#failure = failureOf(answer.message)
      return job.reject(this.#failure)
    }
    job.resolve(answer)
    this.#onFree(this)
  }

  close(): Promise<void> {
    this.#failure ??= stopped()
    this.#job?.reject(this.#failure)
    this.#job = null
    return Promise.resolve()
  }
}

/** Loads the simulator's part: the built one, or its source. Only a plan pays for it. */
async function loadWorlds(): Promise<WorldAnswerer> {
  const source = new URL('../../../simulator/plan/planned-worlds.ts', import.meta.url)
  const file = existsSync(source) ? source : builtFile('simulator/plan/planned-worlds.js')
  const { PlannedWorlds } = (await import(file.href)) as { PlannedWorlds: new () => WorldAnswerer }
  return new PlannedWorlds()
}
