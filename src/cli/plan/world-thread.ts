/** What runs planned worlds for a plan: another thread, or the thread of the command. */
import type { WorkerAnswer, WorkerQuestion } from '../../plan/planned-world.js'

/** A thread ended by itself or reported an error. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError'
}

export interface Job {
  question: WorkerQuestion
  resolve: (answer: WorkerAnswer) => void
  reject: (error: Error) => void
}

/** Does one job at a time. */
export interface WorldThread {
  readonly isFree: boolean
  do(job: Job): void
  /** Fails the job under way, and every later one. */
  close(): Promise<void>
}

export type OnFree = (thread: WorldThread) => void

export const stopped = (): ThreadError => new ThreadError('The plan was stopped.')

/** The whole message stays with the error, for SVC_DEBUG. */
export const failureOf = (message: string): ThreadError =>
  Object.assign(new ThreadError(`A thread of the plan failed: ${message.split('\n')[0] ?? ''}.`), { stack: message })
