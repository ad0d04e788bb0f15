/** The public API of the simulator. Starts the whole service in this process; several can run at once. */
import type { WorldFileInput } from '../src/contract/control/world-file.js'
import { Clock } from './kernel/clock.js'
import { fromIso, instant, type Instant } from './kernel/instant.js'
import { systemClock as thisMachine, type SystemClock } from './kernel/system-clock.js'
import { buildServer } from './http/server.js'
import { FolderSnapshots, MemorySnapshots } from './storage/snapshots.js'
import { basePath } from './http/api-routes.js'
import { isHostName, isLocalHost, isToken } from './http/control/access.js'
import { SharedLoop } from './runtime/shared-loop.js'
import { seedWorld, isSeeded, type StartOptions } from './setup/reset.js'
import { readWorldFile } from './setup/world-file.js'
import { describeStoreError, StoreError } from './storage/store-error.js'
import { sql } from './storage/sql.js'
import { inMemory, Store } from './storage/store.js'
import { tables } from './storage/tables.js'
import { World } from './model/world.js'
import { timeControlsOf } from './worlds/time-controls.js'
import { createSimulatedWorld } from './worlds/create-world.js'
import type { SimulatedWorld, TimeControls, WorldOptions } from './worlds/simulated-world.js'
import type { RunSettings } from './worlds/running-world.js'
import { Worlds } from './worlds/worlds.js'
import { simulatedNetwork } from './telephony/simulated-network.js'
import { version } from './version.js'

export { StoreError }
export type { Reached, SimulatedWorld, TimeControls, Until, WorldOptions } from './worlds/simulated-world.js'

export interface SimulatorOptions {
  /** Port to listen on. Default: 0, any free port. */
  port?: number
  /** Address to listen on. Default: 127.0.0.1. If other machines can reach it, the control API requires a token. */
  host?: string
  /** Data file, or `:memory:`. Default: `:memory:`. */
  data?: string
  /** Delete the content of the data file first. */
  fresh?: boolean
  /**
   * Seed of a new world. Ids and call outcomes follow from it. On a loopback address, secrets also follow from it if
   * `seed` or `world` is given; otherwise they are random. Default: 1.
   */
  seed?: number
  /** First time of a new world's clock, as ISO 8601. Default: the system time. */
  now?: string
  /** Content of a new world: the path of a world file, or its content. Throws a RangeError if it is not valid. */
  world?: string | WorldFileInput
  /** Clock speed factor (60 = one simulated minute per second). */
  speed?: number
  /** Pause the clock. Time then moves only by advances. */
  paused?: boolean
  /** Allow webhooks to `http:` URLs and to this machine. */
  allowLocalWebhooks?: boolean
  /** Name servers for receivers' host names, as `address` or `address:port`. Default: those of the system. */
  nameServers?: readonly string[]
  /** False turns off rate limits, concurrency limits, webhook pacing and the RateLimit headers. */
  limits?: boolean
  /** Timeout of webhook receivers in milliseconds of the system clock. Default: 10,000. */
  webhookTimeoutMs?: number
  controlToken?: string
  /** Maximum number of isolated worlds besides the main one. Default: 1,000. */
  worldsMax?: number
  /** Further host names that requests may use in `Host`, such as that of a container. */
  allowHosts?: readonly string[]
  machine?: SystemClock
  /** Receives errors of the simulator itself. Default: written to stderr. */
  onFailure?: (error: unknown) => void
}

export interface Simulator extends TimeControls {
  /** The address without a path. */
  readonly url: string
  /** Base URL of the API. */
  readonly baseUrl: string
  /** The token of the control API, if other machines can reach it. */
  readonly controlToken: string | null
  /** Whether the world existed before. Then `seed`, `now` and `world` had no effect. */
  readonly resumed: boolean
  /** Describes the clock, the first organization and the size of the world. */
  describe(): Description
  /**
   * Creates an isolated world in this process: with its own data, keys, seed and clock. Options that are left out are as
   * the simulator was started. Throws a RangeError for options that cannot be used.
   */
  createWorld(options?: WorldOptions): Promise<SimulatedWorld>
  close(): Promise<void>
}

export interface Description {
  clock: { speed: number; paused: boolean }
  organization: string
  organization_id: string
  campaigns: { id: string; name: string; status: string }[]
  keys: { key_id: string; secret: string; mode: 'live' | 'test'; status: string }[]
  leads: number
  calls: number
}

export { version }

const usualHost = '127.0.0.1'
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { machine = thisMachine, host = usualHost, allowLocalWebhooks = false } = options
  const onFailure = options.onFailure ?? ((error) => process.stderr.write(`${String(error)}\n`))
  checkOptions(options)
  const start = startOf(options)
  const { world, resumed } = openWorld(options, start, instant(machine.now()))
  const clock = clockOf(world, options, machine)
  const { nameServers, webhookTimeoutMs, limits = true, speed, paused, allowHosts = [], worldsMax } = options
  let url = ''
  const settings: RunSettings = {
    machine,
    host,
    allowLocalWebhooks,
    nameServers,
    webhookTimeoutMs,
    limits,
    onFailure,
    loop: new SharedLoop(machine),
  }
  const { path } = world.store
  const shelf = path === inMemory ? new MemorySnapshots() : new FolderSnapshots(`${path}.snapshots`)
  const worlds = new Worlds(settings, { world, clock, pace: { speed, paused }, url: () => url, shelf }, worldsMax)
  const { main } = worlds
  const { engine } = main
  const controlToken = isLocalHost(host) ? null : (options.controlToken ?? world.secrets.text('control-token', 32))
  const access = { host, token: controlToken, allowHosts }
  const server = buildServer({ main, worldOf: (id) => worlds.find(id), access, version })
  try {
    await server.listen({ port: options.port ?? 0, host })
    url = addressOf(server.addresses(), host)
    main.start()
  } catch (error) {
    await engine.stop()
    await server.close()
    world.store.closeQuietly()
    throw error
  }

  const close = async () => {
    await worlds.close()
    await server.close()
    world.store.close()
  }
  let closed: Promise<void> | undefined

  return {
    url,
    baseUrl: url + basePath,
    controlToken,
    resumed,
    describe: () => engine.read(() => describeWorld(world, clock)),
    ...timeControlsOf(main),
    createWorld: (wanted) => createSimulatedWorld(worlds, wanted),
    close: () => (closed ??= close()),
  }
}

const longestWebhookTimeoutMs = 3_600_000

/** Throws a RangeError for invalid options, before anything is opened. */
function checkOptions(options: SimulatorOptions): void {
  const { seed = 1, speed = 1, webhookTimeoutMs = 1, controlToken, allowHosts = [] } = options
  if (!Number.isSafeInteger(seed)) throw new RangeError('the seed is a whole number')
  if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError('the speed is a number above 0')
  if (!(webhookTimeoutMs >= 1 && webhookTimeoutMs <= longestWebhookTimeoutMs))
    throw new RangeError('the webhook timeout is between 1 millisecond and 1 hour')
  if (controlToken !== undefined && !isToken(controlToken))
    throw new RangeError('the control token is one or more visible ASCII characters, with no blank among them')
  const wrong = allowHosts.find((name) => !isHostName(name))
  if (wrong !== undefined)
    throw new RangeError(
      `"${wrong}" is not a host name. Name hosts without a scheme and a port, such as simulator.test.`,
    )
}

const guessable =
  'The secrets in this data file can be guessed from its seed. To listen beyond this machine, start with --fresh or another --data file.'

/** Opens the store and creates a world if it has none. */
function openWorld(
  { data = inMemory, fresh = false, host = usualHost }: SimulatorOptions,
  start: StartOptions,
  machineNow: Instant,
): { world: World; resumed: boolean } {
  const store = Store.open(data)
  try {
    if (fresh) store.clear()
    const world = new World(store, simulatedNetwork)
    const resumed = isSeeded(world)
    if (!resumed) store.transaction(() => seedWorld(world, start, machineNow))
    world.refresh()
    if (!isLocalHost(host) && world.secretsFollowSeed) throw new RangeError(guessable)
    return { world, resumed }
  } catch (error) {
    store.closeQuietly()
    throw isDamaged(error) ? describeStoreError(store.path, error) : error
  }
}

/** Whether SQLite reports a problem with its file. */
const isDamaged = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')

function startOf({ host = usualHost, seed, now, speed = 1, paused = false, world }: SimulatorOptions): StartOptions {
  const at = now === undefined ? undefined : fromIso(now)
  if (at === null)
    throw new RangeError(`"${now}" is not an ISO 8601 date-time with its zone, such as 2026-10-01T09:30:00Z`)
  const given = world === undefined ? undefined : readWorldFile(world)
  const secretsFollowSeed = isLocalHost(host) && (seed !== undefined || world !== undefined)
  return { seed: seed ?? 1, now: at, speed, paused, secretsFollowSeed, world: given }
}

/** Continues a stored clock, with the speed and pause state of the options. */
function clockOf(world: World, { speed, paused }: SimulatorOptions, machine: SystemClock): Clock {
  const stored = world.clockRecord()
  if (!stored) throw new Error('the world has no clock')
  const clock = new Clock(machine, stored)
  if (speed !== undefined || paused !== undefined) clock.set({ speed, paused })
  return clock
}

function describeWorld(world: World, { speed, paused }: Clock): Description {
  const [first] = world.organizations.all()
  if (!first) throw new Error('the world has no organization')
  // Leads and calls are never deleted, so the last number is their count.
  const last = (table: 'leads' | 'calls') =>
    world.store.one<{ n: number | null }>(sql`SELECT max(n) AS n FROM ${tables[table]}`)?.n ?? 0
  return {
    clock: { speed, paused },
    organization: first.name,
    organization_id: first.id,
    campaigns: world.campaigns.listByOrganization(first.n).map(({ id, name, status }) => ({ id, name, status })),
    keys: world.keys
      .listByOrganization(first.n)
      .map(({ key_id, secret, mode, status }) => ({ key_id, secret, mode, status })),
    leads: last('leads'),
    calls: last('calls'),
  }
}

function addressOf([bound]: readonly (string | { port: number })[], host: string): string {
  const port = typeof bound === 'object' ? bound.port : 0
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
