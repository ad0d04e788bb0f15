/** Moves the time of one world from the program that started the simulator. */
import { ClockUntil } from '../../src/contract/control/clock.js'
import { advanceWithinDays } from '../../src/contract/limits.js'
import { after, endOfTime, fromIso, parseDuration, toIso, type Instant } from '../kernel/instant.js'
import { reachedOf, stopCondition } from '../http/control/until.js'
import type { StopCondition } from '../model/stop-condition.js'
import type { World } from '../model/world.js'
import type { Engine } from '../runtime/engine.js'
import type { Reached, TimeControls, Until } from './simulated-world.js'

export function timeControlsOf({ engine, world }: { engine: Engine; world: World }): TimeControls {
  return {
    now: () => toIso(engine.read(() => world.now)),
    advance: async (by) => (await engine.advance((now) => momentFrom(now, by))).events,
    advanceUntil: (until, within = `${advanceWithinDays}d`) => advanceUntil(engine, world, until, within),
  }
}

function momentFrom(now: Instant, by: string | number): Instant {
  const length = parseDuration(String(by))
  const to = length === null ? fromIso(String(by)) : after(now, length)
  if (to === null) throw new RangeError(`"${by}" is neither a length of time such as 4m nor a date-time`)
  if (to < now) throw new RangeError(`the clock shows ${toIso(now)}; time does not go back`)
  if (to > endOfTime) throw new RangeError(`time ends at ${toIso(endOfTime)}; that is further`)
  return to
}

async function advanceUntil(engine: Engine, world: World, until: Until, within: string | number): Promise<Reached> {
  const { success, data, error } = ClockUntil.safeParse(until)
  if (!success)
    throw new RangeError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  let condition: StopCondition | null = null
  const { events } = await engine.advance(
    (now) => momentFrom(now, within),
    () => true,
    () => (condition = stopCondition(world, data)),
  )
  const now = toIso(engine.read(() => world.now))
  return { now, events, ...reachedOf(world, condition) }
}
