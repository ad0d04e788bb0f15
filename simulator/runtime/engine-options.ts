/** What an engine is made of. */
import type { Clock } from '../kernel/clock.js'
import type { SystemClock } from '../kernel/system-clock.js'
import type { Effect } from '../model/effect.js'
import type { Task } from '../model/task.js'
import type { World } from '../model/world.js'
import type { Sender } from './sender.js'

export interface EngineOptions {
  world: World
  clock: Clock
  machine: SystemClock
  sender: Sender
  /** False lifts the limit of starts a second to one webhook endpoint. */
  paced?: boolean
  /** Called when the loop cannot go on, a task or the store having failed, and when a listener fails. */
  onFailure: (error: unknown) => void
  /** What a task does. */
  run?: (world: World, task: Task) => Effect | null
  /** How many more tasks than are due may run at one instant before that is taken for a runaway. */
  stepsPerInstantMax?: number
}
