/** Creates, resets, restores and resumes a world. */
import { ApiError } from '../../src/contract/errors/error-codes.js'
import type { WorldFile } from '../../src/contract/control/world-file.js'
import { after, hours, type Instant } from '../kernel/instant.js'
import type { ClockRecord } from '../kernel/clock.js'
import { randomRoot } from '../kernel/secrets.js'
import type { Delivery } from '../model/webhooks/delivery.js'
import type { World } from '../model/world.js'
import { omitUndefined } from '../model/defined.js'
import { resumeInterrupted } from '../webhooks/attempts.js'
import { createDefaultWorld } from './factories.js'
import { seedFromWorldFile } from './seed-world.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export interface StartOptions {
  seed: number
  /** First time of the clock; the system time if left out. */
  now?: Instant | undefined
  speed: number
  paused: boolean
  /**
   * Whether secrets follow from the seed, so that tests see the same ones in each run. Allowed only if no other machine
   * can reach the simulator.
   */
  secretsFollowSeed: boolean
  /** The content of the world; the default world if left out. */
  world?: WorldFile | undefined
}

/** Values for options that a stored start does not have. */
const defaultStart: StartOptions = { seed: 1, speed: 1, paused: false, secretsFollowSeed: false }

/** The start options that a reset can change. */
export type ResetOptions = Partial<Pick<StartOptions, 'seed' | 'now' | 'speed' | 'paused' | 'secretsFollowSeed'>>

export const isSeeded = (world: World): boolean => world.setting('seed') !== null

/** Resets the world to its start, with the given changes. Returns the clock of the new world. */
export function resetWorld(world: World, changes: ResetOptions, machineNow: Instant): ClockRecord {
  const start = startOf(world)
  const root = world.setting('secret')
  world.store.clear()
  // The same root secret keeps the keys as they were.
  seedWorld(world, { ...start, ...omitUndefined(changes) }, machineNow, root)
  // The changes apply once. The next reset returns to the original start.
  world.set('start', JSON.stringify(start))
  return recordClock(world)
}

/** Puts a fork back to its beginning. The time of its clock stays that of its source. */
export function resetFork(
  world: World,
  { image, prepare }: { image: Buffer; prepare: (world: World) => void },
  { seed, now, speed, paused }: ResetOptions,
): ClockRecord {
  if (now !== undefined)
    throw new ApiError('invalid_request', 'now: a fork goes back to the time of its source. Leave now out.', {
      param: 'now',
    })
  const record = restoreSnapshot(world, image)
  prepare(world)
  if (seed !== undefined) world.set('draw_seed', String(seed))
  world.refresh()
  return { ...record, ...omitUndefined({ speed, paused }) }
}

/** Replaces the world by a snapshot. Returns the clock of the restored world. */
export function restoreSnapshot(world: World, image: Buffer): ClockRecord {
  world.store.restore(image)
  world.refresh()
  const record = recordClock(world)
  world.now = record.now
  resumeWorld(world)
  return record
}

function recordClock(world: World): ClockRecord {
  const record = world.clockRecord()
  if (!record) throw new Error('the world has no clock')
  return record
}

/** Resumes deliveries that were interrupted when the program stopped. */
export function resumeWorld(world: World): void {
  const interrupted = world.store.all<Delivery>(
    sql`SELECT * FROM ${tables.deliveries} INDEXED BY deliveries_under_way WHERE sending = 1 ORDER BY n`,
  )
  resumeInterrupted((tenant) => world.tenant(tenant), interrupted)
}

/** When the clock of a stored world began, and the root of its secrets. */
export const beganAt = (world: World): Instant => Number(world.setting('began')) as Instant
export const rootSecretOf = (world: World): string | null => world.setting('secret')

/** The start options of a stored world. */
export function startOf(world: World): StartOptions {
  return { ...defaultStart, ...(JSON.parse(world.setting('start') ?? '{}') as Partial<StartOptions>) }
}

/** Fills an empty store with a new world. */
export function seedWorld(world: World, start: StartOptions, machineNow: Instant, root: string | null = null): void {
  const { seed, now, speed, paused, secretsFollowSeed, world: given } = start
  world.set('start', JSON.stringify(start))
  world.set('seed', String(seed))
  world.set('secret', root ?? randomRoot().toString('hex'))
  world.set('secrets_follow_seed', secretsFollowSeed ? 'yes' : 'no')
  world.refresh()
  world.now = now ?? machineNow
  world.set('began', String(world.now))
  world.recordClock({ now: world.now, offset: world.now - machineNow, speed, paused })
  if (given) seedFromWorldFile(world, given)
  else createDefaultWorld(world)
  world.agenda.put('retention', after(world.now, hours(1)), { kind: 'retention' })
}
