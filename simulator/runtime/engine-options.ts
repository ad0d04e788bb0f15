/** Options of the engine. */
import type { Clock } from '../kernel/clock.js'
import type { SystemClock } from '../kernel/system-clock.js'
import type { Task, Effect } from '../model/task.js'
import type { World } from '../model/world.js'
import type { Sender } from './sender.js'
import type { SharedLoop } from './shared-loop.js'

export interface EngineOptions {
  world: World
  clock: Clock
  machine: SystemClock
  sender: Sender
  /** False turns off the limit of starts per second to one endpoint. */
  paced?: boolean
  /** Shared with the engines of other worlds in this process. */
  loop?: SharedLoop
  /** Called when a task, the store or a listener fails. */
  onFailure: (error: unknown) => void
  /** Runs a task. */
  run?: (world: World, task: Task) => Effect | null
  /** How many more tasks than are due may run at one instant before the engine stops them as a runaway. */
  stepsPerInstantMax?: number
}
