/** Threads that run planned worlds. One thread loads the leads, and every thread runs copies of that world. */
import { availableParallelism } from 'node:os'
import type {
  LoadedLeads,
  PlannedLead,
  PlanSettings,
  WorkerAnswer,
  WorkerQuestion,
  WorldResult,
  WorldRun,
} from '../../plan/planned-world.js'
import { OwnThread } from './own-thread.js'
import { WorkerThread } from './worker-thread.js'
import { stopped, ThreadError, type Job, type WorldThread } from './world-thread.js'

/** More threads would wait for memory, not for a processor. */
const threadsMax = 16
/** Worlds with at most this many leads run in the thread of the command: to start another one takes longer. */
const leadsInOwnThread = 100

export class WorldThreads {
  readonly #threads: readonly WorldThread[]
  readonly #waiting: Job[] = []
  #isClosed = false

  private constructor(leads: number, most: number) {
    const onFree = (thread: WorldThread) => this.#next(thread)
    const count = Math.max(1, Math.min(availableParallelism(), most, threadsMax))
    this.#threads =
      leads <= leadsInOwnThread
        ? [new OwnThread(onFree)]
        : Array.from({ length: count }, () => new WorkerThread(onFree))
  }

  /** Starts at most `most` threads, or none for few leads, and loads the leads. Close them in any case. */
  static async open(
    settings: PlanSettings,
    leads: readonly PlannedLead[],
    { most = threadsMax, signal }: { most?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<{ threads: WorldThreads; loaded: LoadedLeads }> {
    const threads = new WorldThreads(leads.length, most)
    const close = () => void threads.close()
    signal?.addEventListener('abort', close, { once: true })
    try {
      const answer = await threads.#ask({ kind: 'load', settings, leads })
      if (answer.kind !== 'loaded') throw new ThreadError('A thread gave the wrong answer.')
      const { image, loaded } = answer
      // Leads of an image are in it. Only those that arrive later are needed again.
      const later = leads.filter(({ at }) => at !== undefined && at > settings.start)
      await Promise.all(
        threads.#threads.map((thread) => threads.#askThread(thread, { kind: 'open', settings, image, leads: later })),
      )
      return { threads, loaded }
    } catch (error) {
      await threads.close()
      throw error
    }
  }

  get count(): number {
    return this.#threads.length
  }

  async run(run: WorldRun): Promise<WorldResult> {
    const answer = await this.#ask({ kind: 'run', run })
    if (answer.kind !== 'ran') throw new ThreadError('A thread gave the wrong answer.')
    return answer.result
  }

  #ask(question: WorkerQuestion): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(stopped())
      this.#waiting.push({ question, resolve, reject })
      const free = this.#threads.find((thread) => thread.isFree)
      if (free) this.#next(free)
    })
  }

  #askThread(thread: WorldThread, question: WorkerQuestion): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => thread.do({ question, resolve, reject }))
  }

  #next(thread: WorldThread): void {
    const job = this.#waiting.shift()
    if (job) thread.do(job)
  }

  /** Ends every thread. Runs that wait or are under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(stopped())
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}
