/** What the control API asks of the worlds of a simulator. */
import type { IsolatedWorld, NewWorld, WorldDiff, WorldInList } from '../../../src/contract/control/worlds.js'

/** The worlds of a simulator. An unknown id is `not_found`. */
export interface WorldRegistry {
  create(options: NewWorld): IsolatedWorld
  list(): WorldInList[]
  /** Ends the requests and streams of the world. */
  delete(id: string): Promise<void>
  diff(a: string, b: string): WorldDiff
}
