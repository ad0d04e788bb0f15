/** The worlds of one simulator: the main one, and isolated ones that tests create, fork and delete. */
import { randomUUID } from 'node:crypto'
import {
  worldIdleSeconds,
  worldsMax,
  type IsolatedWorld,
  type NewWorld,
  type WorldDiff,
  type WorldInList,
  type WorldSource,
} from '../../src/contract/control/worlds.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { Clock } from '../kernel/clock.js'
import { fromIso, instant, toIso, toIsoOrNull, type Instant } from '../kernel/instant.js'
import type { Timer } from '../kernel/system-clock.js'
import { basePath } from '../http/api-routes.js'
import { isLocalHost } from '../http/control/access.js'
import { controlPath } from '../http/control/routes.js'
import { guessableSecrets, readSnapshot } from '../http/control/snapshots.js'
import { WorldError, worldMissing } from '../http/control/worlds.js'
import type { WorldRegistry } from '../http/control/world-registry.js'
import { mainId, worldPath } from '../http/world-path.js'
import { omitUndefined } from '../model/defined.js'
import type { World } from '../model/world.js'
import { assembleWorld, type RunningWorld, type RunOptions, type RunSettings } from './running-world.js'
import { beganAt, rootSecretOf, startOf } from '../setup/reset.js'
import { readWorldFile, WorldFileError } from '../setup/world-file.js'
import { MemorySnapshots } from '../storage/snapshots.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'
import { WorldTemplates, openFork, openWorld, type Fork, type WorldTemplate } from './template.js'
import { compareWorlds } from './diff.js'

/** An isolated world. It is opened by its first request. */
interface Isolated {
  id: string
  name: string | null
  from: WorldSource
  template: WorldTemplate | Fork
  pace: { speed: number | undefined; paused: boolean }
  /** Null if it is never deleted for being idle. */
  idleMs: number | null
  created: Instant
  lastUsed: Instant
  running: RunningWorld | null
}

const idLength = 12

type MainOptions = Omit<RunOptions, 'id' | 'worlds' | 'fork'>

export class Worlds implements WorldRegistry {
  readonly main: RunningWorld
  readonly #settings: RunSettings
  readonly #most: number
  readonly #isolated = new Map<string, Isolated>()
  readonly #templates = new WorldTemplates()
  readonly #start: Pick<MainOptions, 'shelf' | 'pace'>
  readonly #startedAt: Instant
  #began: ReturnType<typeof asStarted> | null = null
  #timer: Timer | null = null

  constructor(settings: RunSettings, main: MainOptions, most = worldsMax) {
    this.#settings = settings
    this.#most = most
    this.#startedAt = instant(settings.machine.now())
    this.#start = main
    this.main = assembleWorld(settings, { ...main, id: mainId, worlds: this })
  }

  /** The world that serves a request, or null. */
  find(id: string): RunningWorld | null {
    if (id === mainId) return this.main
    const found = this.#isolated.get(id)
    if (!found) return null
    found.lastUsed = this.#now()
    return (found.running ??= this.#open(found))
  }

  has(id: string): boolean {
    return id === mainId || this.#isolated.has(id)
  }

  #now(): Instant {
    return instant(this.#settings.machine.now())
  }

  #running(id: string): RunningWorld {
    const found = this.find(id)
    if (!found) throw worldMissing(id)
    return found
  }

  create(options: NewWorld): IsolatedWorld {
    if (this.#isolated.size >= this.#most)
      throw new WorldError(
        429,
        'limit_reached',
        `The limit of ${this.#most} isolated worlds is reached. Delete one, or start the simulator with a higher --worlds-max.`,
      )
    const { name = null, from = 'start', paused = true, idle_ttl_seconds: idle = worldIdleSeconds } = options
    const now = this.#now()
    const made: Isolated = {
      id: randomUUID().replaceAll('-', '').slice(0, idLength),
      name,
      from,
      template: from === 'start' ? this.#templateOf(options) : this.#fork(from, options),
      pace: { speed: options.speed, paused },
      idleMs: idle === null ? null : idle * 1000,
      created: now,
      lastUsed: now,
      running: null,
    }
    // Time must pass from now on in a world that is not paused. A fork is open already.
    if (!paused || 'world' in made.template) made.running = this.#open(made)
    this.#isolated.set(made.id, made)
    this.#watchIdle()
    return this.#describe(made)
  }

  /** The template of a new world. What the options leave out is as in the main world when it was started. */
  #templateOf({ seed, now, world: given, speed, paused = true }: NewWorld): WorldTemplate {
    const { usual, root } = (this.#began ??= asStarted(this.main.world, this.#start.pace.speed))
    const isChanged = seed !== undefined || given !== undefined
    const options = {
      ...usual,
      ...omitUndefined({ seed, speed }),
      now: (now === undefined ? null : fromIso(now)) ?? usual.now,
      paused,
      ...(isChanged && { secretsFollowSeed: isLocalHost(this.#settings.host) }),
      ...(given !== undefined && { world: readGivenWorld(given) }),
    }
    return this.#templates.get(options, root, this.#now())
  }

  #fork(from: Exclude<WorldSource, 'start'>, { seed, now, world, endpoints }: NewWorld): Fork {
    const extra = now !== undefined ? 'now' : world !== undefined ? 'world' : null
    if (extra !== null)
      throw new ApiError('invalid_request', `${extra}: a fork keeps that of its source. Leave ${extra} out.`, {
        param: extra,
      })
    const fork = openFork(this.#imageOf(from), { seed, keepEndpoints: endpoints === 'keep' })
    if (typeof from !== 'string' && !isLocalHost(this.#settings.host) && fork.world.secretsFollowSeed) {
      fork.world.store.close()
      throw guessableSecrets(from.snapshot)
    }
    return fork
  }

  #imageOf(from: Exclude<WorldSource, 'start'>): Buffer {
    if (typeof from === 'string') {
      const { engine, world } = this.#running(from)
      // An empty step writes the current clock.
      engine.step(() => undefined)
      return world.store.image()
    }
    return readSnapshot(this.#start.shelf, from.snapshot)
  }

  #open({ id, template, pace }: Isolated): RunningWorld {
    const { machine } = this.#settings
    const fork = 'world' in template ? template : undefined
    const world = fork ? fork.world : openWorld(template.image)
    const { now } = template
    const { speed = template.speed, paused } = pace
    const clock = new Clock(machine, { now, offset: now - machine.now(), speed, paused })
    const url = () => this.main.url() + worldPath(id)
    const options = { id, world, clock, pace, url, shelf: new MemorySnapshots(), worlds: null, fork }
    const running = assembleWorld(this.#settings, options)
    running.start()
    return running
  }

  #describe({ id, name, from, template, lastUsed, idleMs }: Isolated): IsolatedWorld {
    const { now, seed, campaigns, keys } = template
    const url = this.main.url() + worldPath(id)
    return {
      id,
      name,
      base_url: url + basePath,
      control_url: url + controlPath,
      now: toIso(now),
      seed,
      from,
      campaigns,
      keys,
      expires_at: toIsoOrNull(idleMs === null ? null : instant(lastUsed + idleMs)),
    }
  }

  list(): WorldInList[] {
    const main = {
      id: mainId,
      name: null,
      from: 'start',
      created: toIso(this.#startedAt),
      last_used: toIso(this.#now()),
      ...sizeOf(this.main.world),
      expires_at: null,
    }
    return [main, ...[...this.#isolated.values()].map((one) => this.#listed(one))]
  }

  #listed(one: Isolated): WorldInList {
    const { id, name, from, created, lastUsed, idleMs, running } = one
    return {
      id,
      name,
      from,
      created: toIso(created),
      last_used: toIso(lastUsed),
      ...(running ? sizeOf(running.world) : { leads: 0, calls: 0, memory_bytes: 0 }),
      expires_at: toIsoOrNull(idleMs === null ? null : instant(lastUsed + idleMs)),
    }
  }

  async delete(id: string): Promise<void> {
    if (id === mainId) throw new WorldError(409, 'invalid_request', 'The main world cannot be deleted.')
    const found = this.#isolated.get(id)
    if (!found) throw worldMissing(id)
    await this.#end(found)
  }

  async #end({ id, running }: Isolated): Promise<void> {
    this.#isolated.delete(id)
    if (!running) return
    await running.stop()
    running.world.store.close()
  }

  diff(a: string, b: string): WorldDiff {
    return compareWorlds(this.#running(a).world, this.#running(b).world)
  }

  /** Makes sure that an idle world is deleted when its time is over. */
  #watchIdle(): void {
    if (this.#timer) return
    const ends = [...this.#isolated.values()].flatMap((one) => (one.idleMs === null ? [] : [one.lastUsed + one.idleMs]))
    if (ends.length === 0) return
    const waitMs = Math.min(longestCheckMs, Math.max(shortestCheckMs, Math.min(...ends) - this.#now()))
    this.#timer = this.#settings.machine.after(waitMs, () => this.#endIdle())
  }

  #endIdle(): void {
    this.#timer = null
    const now = this.#now()
    for (const one of this.#isolated.values()) {
      if (one.idleMs === null) continue
      if (one.running?.isBusy()) one.lastUsed = now
      else if (one.lastUsed + one.idleMs <= now) this.#end(one).catch(this.#settings.onFailure)
    }
    this.#watchIdle()
  }

  /** Stops every world. The store of the main world stays open. */
  async close(): Promise<void> {
    this.#timer?.cancel()
    await Promise.all([this.main.stop(), ...[...this.#isolated.values()].map((one) => this.#end(one))])
  }
}

/** Time between two looks for idle worlds. A world that is created meanwhile may have a shorter time than the others. */
const shortestCheckMs = 250
const longestCheckMs = 1_000

/** The options that the main world was started with, and the root of its secrets. */
function asStarted(world: World, speed: number | undefined) {
  const start = startOf(world)
  return {
    usual: { ...start, speed: speed ?? start.speed, now: start.now ?? beganAt(world) },
    root: rootSecretOf(world),
  }
}

function sizeOf({ store }: World) {
  const count = (table: 'leads' | 'calls') =>
    store.one<{ n: number | null }>(sql`SELECT max(n) AS n FROM ${tables[table]}`)?.n ?? 0
  return { leads: count('leads'), calls: count('calls'), memory_bytes: store.bytes }
}

function readGivenWorld(given: NonNullable<NewWorld['world']>) {
  try {
    return readWorldFile(given as Parameters<typeof readWorldFile>[0])
  } catch (error) {
    if (!(error instanceof WorldFileError)) throw error
    throw new ApiError('invalid_request', error.message, { param: 'world' })
  }
}
