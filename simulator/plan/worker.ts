/** A worker thread of a plan: answers questions about planned worlds, one after the other. */
import { parentPort } from 'node:worker_threads'
import type { WorkerQuestion } from '../../src/plan/planned-world.js'
import { PlannedWorlds } from './planned-worlds.js'

const worlds = new PlannedWorlds()
parentPort?.on('message', (question: WorkerQuestion) => {
  void worlds.answer(question).then((answer) => parentPort?.postMessage(answer))
})
