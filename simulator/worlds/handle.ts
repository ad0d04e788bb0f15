/** Isolated worlds for programs that start the simulator themselves. */
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { Key } from '../../src/contract/control/keys.js'
import { NewWorld } from '../../src/contract/control/worlds.js'
import type { WorldFileInput } from '../../src/contract/control/world-file.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { timeControlsOf, type TimeControls } from './time-controls.js'
import type { Worlds } from './worlds.js'

export interface WorldOptions {
  /** For people. It need not be unique. */
  name?: string
  /** What it begins with: `start` (default), the id of a world to fork, or a snapshot of the main world. */
  from?: 'start' | (string & {}) | { snapshot: string }
  /** In a fork, existing ids stay, and later call outcomes follow from it. */
  seed?: number
  /** Start time as ISO 8601. Not for a fork, which keeps that of its source. */
  now?: string
  /** Content of a world file. */
  world?: WorldFileInput
  /** Default: true. Time then moves only by advances. */
  paused?: boolean
  speed?: number
  /** Whether the webhook endpoints of a fork are paused (default) or stay as they are. */
  endpoints?: 'pause' | 'keep'
  /** Seconds without a request after which the world is deleted; null for never. Default: 600. */
  idleTtlSeconds?: number | null
}

/** An isolated world. `await using` deletes it at the end of its block. */
export interface SimulatedWorld extends TimeControls {
  readonly id: string
  readonly name: string | null
  /** The address without the path of the API. */
  readonly url: string
  /** Base URL of its API. */
  readonly baseUrl: string
  /** Address of its control plane. */
  readonly controlUrl: string
  /** API keys with their secrets, as they were at its beginning. */
  readonly keys: readonly Key[]
  readonly campaigns: readonly CampaignInWorld[]
  /** Creates a copy of the world as it is now. */
  fork(options?: Omit<WorldOptions, 'from' | 'now' | 'world'>): Promise<SimulatedWorld>
  /** Deletes the world. Its requests and streams end. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Creates a world. Rejects with a RangeError if the options cannot be used. */
export async function openHandle(worlds: Worlds, options: WorldOptions = {}): Promise<SimulatedWorld> {
  const { id, name, base_url, control_url, keys, campaigns } = createWorld(worlds, options)
  /** Looks the world up for each use, which counts as a request. */
  const running = () => {
    const found = worlds.find(id)
    if (!found) throw new Error(`The world ${id} was deleted.`)
    return found
  }
  let closed: Promise<void> | undefined
  const close = () => (closed ??= worlds.find(id) ? worlds.delete(id) : Promise.resolve())
  return {
    id,
    name,
    url: control_url.slice(0, control_url.lastIndexOf('/')),
    baseUrl: base_url,
    controlUrl: control_url,
    keys,
    campaigns,
    now: () => timeControlsOf(running()).now(),
    advance: async (by) => timeControlsOf(running()).advance(by),
    advanceUntil: async (until, within) => timeControlsOf(running()).advanceUntil(until, within),
    fork: (changes = {}) => openHandle(worlds, { ...changes, from: id }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function createWorld(worlds: Worlds, { idleTtlSeconds, ...options }: WorldOptions) {
  const wanted = { ...options, ...(idleTtlSeconds !== undefined && { idle_ttl_seconds: idleTtlSeconds }) }
  const { success, data, error } = NewWorld.safeParse(wanted)
  if (!success)
    throw new RangeError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  try {
    return worlds.create(data)
  } catch (refusal) {
    throw refusal instanceof ApiError ? new RangeError(refusal.message, { cause: refusal }) : refusal
  }
}
