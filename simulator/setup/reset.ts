/** How a world begins: its seed, its first moment, and who is there. */
import type { WorldFile } from '../../src/contract/control/world-file.js'
import { after, hours, type Instant } from '../kernel/instant.js'
import type { ClockRecord } from '../kernel/clock.js'
import { randomRoot } from '../kernel/secrets.js'
import type { Delivery } from '../model/delivery.js'
import type { World } from '../model/world.js'
import { omitUndefined } from '../model/defined.js'
import { resumeInterrupted } from '../webhooks/attempts.js'
import { createDefaultWorld } from './factories.js'
import { seedFromWorldFile } from './seed-world.js'

export interface StartOptions {
  seed: number
  /** What the clock shows first; left out, the machine's time. */
  now?: Instant | undefined
  speed: number
  paused: boolean
  /** Whether secrets follow from the seed, so that tests see the same ones in each run. Never beyond this machine. */
  secretsFollowSeed: boolean
  /** Who is there; the usual world, if left out. */
  world?: WorldFile | undefined
}

/** The same, as far as nothing was said of it. */
const defaultStart: StartOptions = { seed: 1, speed: 1, paused: false, secretsFollowSeed: false }

/** What a reset changes of a start. */
export type Otherwise = Partial<Pick<StartOptions, 'seed' | 'now' | 'speed' | 'paused' | 'secretsFollowSeed'>>

export const isSeeded = (world: World): boolean => world.setting('seed') !== null

/** The world as it started, but for what is named, in the place of the one that is there; the answer is what its clock shows. */
export function resetWorld(world: World, otherwise: Otherwise, machineNow: Instant): ClockRecord {
  const start = startOf(world)
  const root = world.setting('secret')
  world.store.clear()
  // With the same root secret the keys stay as they were.
  seedWorld(world, { ...start, ...omitUndefined(otherwise) }, machineNow, root)
  // The next reset goes back to the same start.
  world.set('start', JSON.stringify(start))
  return recorded(world)
}

/** A saved world in the place of the one that is there; the answer is what its clock shows. */
export function restoreSnapshot(world: World, image: Buffer): ClockRecord {
  world.store.restore(image)
  world.refresh()
  const record = recorded(world)
  world.now = record.now
  resumeWorld(world)
  return record
}

function recorded(world: World): ClockRecord {
  const record = world.clockRecord()
  if (!record) throw new Error('the world has no clock')
  return record
}

/** Takes up what was under way when the world was last seen. */
export function resumeWorld(world: World): void {
  const interrupted = world.store.all<Delivery>('SELECT * FROM deliveries WHERE sending = 1 ORDER BY n')
  resumeInterrupted((tenant) => world.tenant(tenant), interrupted)
}

/** How a stored world began. */
function startOf(world: World): StartOptions {
  return { ...defaultStart, ...(JSON.parse(world.setting('start') ?? '{}') as Partial<StartOptions>) }
}

/** Fills an empty store. */
export function seedWorld(world: World, start: StartOptions, machineNow: Instant, root: string | null = null): void {
  const { seed, now, speed, paused, secretsFollowSeed, world: given } = start
  world.set('start', JSON.stringify(start))
  world.set('seed', String(seed))
  world.set('secret', root ?? randomRoot().toString('hex'))
  world.set('secrets_follow_seed', secretsFollowSeed ? 'yes' : 'no')
  world.refresh()
  world.now = now ?? machineNow
  world.recordClock({ now: world.now, offset: world.now - machineNow, speed, paused })
  if (given) seedFromWorldFile(world, given)
  else createDefaultWorld(world)
  world.agenda.put('retention', after(world.now, hours(1)), { kind: 'retention' })
}
