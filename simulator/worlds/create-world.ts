/** Isolated worlds for programs that start the simulator themselves. */
import { NewWorld } from '../../src/contract/control/worlds.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import type { SimulatedWorld, WorldOptions } from './simulated-world.js'
import { timeControlsOf } from './time-controls.js'
import type { Worlds } from './worlds.js'

/** Creates a world. Rejects with a RangeError if the options cannot be used. */
export async function createSimulatedWorld(worlds: Worlds, options: WorldOptions = {}): Promise<SimulatedWorld> {
  const { id, name, base_url, control_url, keys, campaigns } = createWorld(worlds, options)
  /** Looks the world up for each use, which counts as a request. */
  const running = () => {
    const found = worlds.find(id)
    if (!found) throw new Error(`The world ${id} was deleted.`)
    return found
  }
  let closed: Promise<void> | undefined
  const close = () => (closed ??= worlds.has(id) ? worlds.delete(id) : Promise.resolve())
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
    fork: (changes = {}) => createSimulatedWorld(worlds, { ...changes, from: id }),
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
