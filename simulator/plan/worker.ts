/** A worker thread of a plan: answers questions about planned worlds, one after the other. */
import { parentPort } from 'node:worker_threads'
import type { PlannedLead, PlanSettings, WorkerAnswer, WorkerQuestion } from '../../src/plan/planned-world.js'
import { loadPlannedWorld, runPlannedWorld } from './planned-world.js'

/** The world that runs are copies of. */
let opened: { image: Uint8Array; settings: PlanSettings; leads: readonly PlannedLead[] } | null = null

async function answer(question: WorkerQuestion): Promise<WorkerAnswer> {
  if (question.kind === 'load') return { kind: 'loaded', ...loadPlannedWorld(question.settings, question.leads) }
  if (question.kind === 'open') {
    opened = question
    return { kind: 'opened' }
  }
  if (!opened) throw new Error('no world is open')
  return { kind: 'ran', result: await runPlannedWorld(opened.image, opened.settings, opened.leads, question.run) }
}

const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

parentPort?.on('message', (question: WorkerQuestion) => {
  void answer(question)
    .catch((error: unknown): WorkerAnswer => ({ kind: 'failed', message: describeError(error) }))
    .then((found) => parentPort?.postMessage(found))
})
