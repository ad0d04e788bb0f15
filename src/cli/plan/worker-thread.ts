/** A worker thread that runs planned worlds. */
import { existsSync } from 'node:fs'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { WorkerAnswer } from '../../plan/planned-world.js'
import { failureOf, stopped, type Job, type OnFree, type ThreadError, type WorldThread } from './world-thread.js'
import { builtFile } from './built-file.js'

/** Short-lived rows fill the default space of 16 MB many times a second. */
const youngMemoryMb = 64

/** Another thread. */
export class WorkerThread implements WorldThread {
  readonly #worker: Worker
  readonly #onFree: OnFree
  #job: Job | null = null
  #failure: ThreadError | null = null

  constructor(onFree: OnFree) {
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
    this.#failure ??= failureOf(message)
    this.#end()?.reject(this.#failure)
  }

  async close(): Promise<void> {
    this.#failure ??= stopped()
    this.#end()?.reject(this.#failure)
    await this.#worker.terminate()
  }
}

/** Starts the program of a thread: the built one, or its source. */
function startThread(options: WorkerOptions): Worker {
  const source = new URL('../../../simulator/plan/worker.ts', import.meta.url)
  if (!existsSync(source)) return new Worker(builtFile('simulator/plan/worker.js'), options)
  // Threads do not inherit the loader of TypeScript.
  const loader = new URL('../../../node_modules/tsx/dist/esm/api/index.mjs', import.meta.url)
  const load = `import('${loader.href}').then(({ register }) => (register(), import('${source.href}')))`
  return new Worker(load, { ...options, eval: true })
}
