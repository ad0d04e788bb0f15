/** Worker threads that run planned worlds. One thread loads the leads, and every thread runs copies of that world. */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type {
  LoadedLeads,
  PlannedLead,
  PlanSettings,
  WorkerAnswer,
  WorkerQuestion,
  WorldResult,
  WorldRun,
} from '../../plan/planned-world.js'

/** More threads would wait for memory, not for a processor. */
const threadsMax = 16
/** Short-lived rows fill the default space of 16 MB many times a second. */
const youngMemoryMb = 64

/** A thread ended by itself or reported an error. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError'
}

interface Job {
  question: WorkerQuestion
  resolve: (answer: WorkerAnswer) => void
  reject: (error: Error) => void
}

export class WorldThreads {
  readonly #threads: Thread[]
  readonly #waiting: Job[] = []
  #isClosed = false

  private constructor(count: number) {
    this.#threads = Array.from({ length: count }, () => new Thread((thread) => this.#next(thread)))
  }

  /** Starts at most `most` threads and loads the leads. Close them in any case. */
  static async open(
    settings: PlanSettings,
    leads: readonly PlannedLead[],
    { most = threadsMax, signal }: { most?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<{ threads: WorldThreads; loaded: LoadedLeads }> {
    const threads = new WorldThreads(Math.max(1, Math.min(availableParallelism(), most, threadsMax)))
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
      if (this.#isClosed) return reject(new ThreadError('The plan was stopped.'))
      this.#waiting.push({ question, resolve, reject })
      const free = this.#threads.find((thread) => thread.isFree)
      if (free) this.#next(free)
    })
  }

  #askThread(thread: Thread, question: WorkerQuestion): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => thread.do({ question, resolve, reject }))
  }

  #next(thread: Thread): void {
    const job = this.#waiting.shift()
    if (job) thread.do(job)
  }

  /** Ends every thread. Runs that wait or are under way fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new ThreadError('The plan was stopped.'))
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}

class Thread {
  readonly #worker: Worker
  readonly #onFree: (thread: Thread) => void
  #job: Job | null = null
  #failure: ThreadError | null = null

  constructor(onFree: (thread: Thread) => void) {
    this.#onFree = onFree
    this.#worker = startThread({
      // What a thread prints would mix with the output of the command.
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: youngMemoryMb },
    })
    this.#worker.on('message', (answer: WorkerAnswer) => {
      if (answer.kind === 'failed') this.#fail(answer.message)
      else this.#end()?.resolve(answer)
      if (!this.#job) this.#onFree(this)
    })
    this.#worker.on('error', (error) => this.#fail(String(error.stack ?? error)))
    this.#worker.on('exit', () => this.#fail('it ended before its work was done'))
  }

  get isFree(): boolean {
    return this.#job === null && this.#failure === null
  }

  do(job: Job): void {
    if (this.#failure) return job.reject(this.#failure)
    this.#job = job
    this.#worker.postMessage(job.question)
  }

  #end(): Job | null {
    const job = this.#job
    this.#job = null
    return job
  }

  /** A thread that failed runs nothing more. Its message stays with the error, for SVC_DEBUG. */
  #fail(message: string): void {
    this.#failure ??= Object.assign(new ThreadError(`A thread of the plan failed: ${message.split('\n')[0] ?? ''}.`), {
      stack: message,
    })
    this.#end()?.reject(this.#failure)
  }

  async close(): Promise<void> {
    this.#failure ??= new ThreadError('The plan was stopped.')
    this.#end()?.reject(this.#failure)
    await this.#worker.terminate()
  }
}

/** Starts the program of a thread: the built one, or its source. */
function startThread(options: WorkerOptions): Worker {
  const source = new URL('../../../simulator/plan/worker.ts', import.meta.url)
  if (!existsSync(source)) return new Worker(builtProgram(), options)
  // Threads do not inherit the loader of TypeScript.
  const loader = new URL('../../../node_modules/tsx/dist/esm/api/index.mjs', import.meta.url)
  const load = `import('${loader.href}').then(({ register }) => (register(), import('${source.href}')))`
  return new Worker(load, { ...options, eval: true })
}

/** The bundler moves this file into a folder of shared parts. */
function builtProgram(): URL {
  const here = import.meta.url
  return new URL('simulator/plan/worker.js', here.slice(0, here.lastIndexOf('/dist/') + '/dist/'.length))
}
