/** Answers the questions of a plan, in a worker thread or in the thread of the command. */
import type {
  PlannedLead,
  PlanSettings,
  WorkerAnswer,
  WorkerQuestion,
  WorldAnswerer,
} from '../../src/plan/planned-world.js'
import { loadPlannedWorld, runPlannedWorld } from './planned-world.js'

export class PlannedWorlds implements WorldAnswerer {
  /** The world that runs are copies of. */
  #opened: { image: Uint8Array; settings: PlanSettings; leads: readonly PlannedLead[] } | null = null

  async answer(question: WorkerQuestion): Promise<WorkerAnswer> {
    try {
      return await this.#answer(question)
    } catch (error) {
      return { kind: 'failed', message: describeError(error) }
    }
  }

  async #answer(question: WorkerQuestion): Promise<WorkerAnswer> {
    if (question.kind === 'load') return { kind: 'loaded', ...loadPlannedWorld(question.settings, question.leads) }
    if (question.kind === 'open') {
      this.#opened = question
      return { kind: 'opened' }
    }
    if (!this.#opened) throw new Error('no world is open')
    const { image, settings, leads } = this.#opened
    return { kind: 'ran', result: await runPlannedWorld(image, settings, leads, question.run) }
  }
}

const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
