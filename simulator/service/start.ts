/** How a world begins: its seed, its first moment, and who is there. */
import { after, hours, type Instant } from '../kernel/instant.js'
import type { World } from '../world/world.js'
import { foundUsualWorld } from './founding.js'

export interface Start {
  seed: number
  /** What the clock shows first; left out, the machine's time. */
  now: Instant | undefined
  machineNow: Instant
  speed: number
  paused: boolean
}

export const isFounded = (world: World): boolean => world.setting('seed') !== null

/** Fills an empty store. */
export function found(world: World, { seed, now, machineNow, speed, paused }: Start): void {
  world.set('seed', String(seed))
  world.refresh()
  world.now = now ?? machineNow
  world.recordClock({ now: world.now, offset: world.now - machineNow, speed, paused })
  foundUsualWorld(world)
  world.agenda.put('retention', after(world.now, hours(1)), { kind: 'retention' })
}
