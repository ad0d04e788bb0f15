/** Serves the clock of the control plane, and whether the simulator is up. */
import type { ClockAdvance } from '../../../src/contract/control/clock.js'
import { advanceWithinDays } from '../../../src/contract/limits.js'
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { after, endOfTime, fromIso, parseDuration, toIso, type Instant } from '../../kernel/instant.js'
import type { StopCondition } from './stop-condition.js'
import { ok, type ControlHandlers } from '../handler.js'
import type { Plane } from './context.js'
import { stopCondition } from './until.js'

export function clockHandlers(
  plane: Plane,
): Pick<ControlHandlers, 'getHealth' | 'getClock' | 'updateClock' | 'advanceClock'> {
  const { clock, steps, world } = plane
  const shown = () => steps.read(() => ({ now: toIso(world.now), speed: clock.speed, paused: clock.paused }))
  return {
    getHealth: () => ok({ status: 'ok' as const, version: plane.version, now: shown().now, base_url: plane.baseUrl() }),
    getClock: () => ok(shown()),
    updateClock: ({ body }) => {
      plane.setClock(body)
      return ok(shown())
    },
    advanceClock: async ({ body }, isWanted) => {
      const { until } = body
      if (!until) {
        const events = await plane.advance((now) => targetOf(now, body), isWanted)
        return ok({ ...shown(), events })
      }
      let condition: StopCondition | undefined
      const events = await plane.advance(
        (now) => targetOf(now, body),
        isWanted,
        () => (condition = stopCondition(world, until)),
      )
      const { isReached: reached, event } = condition as unknown as StopCondition
      return ok({ ...shown(), events, reached, ...(event !== undefined && { event }) })
    },
  }
}

function targetOf(now: Instant, { by, to, within }: ClockAdvance): Instant {
  const param = to !== undefined ? 'to' : by !== undefined ? 'by' : 'within'
  const target = to === undefined ? afterLength(now, String(by ?? within ?? `${advanceWithinDays}d`)) : fromIso(to)
  if (target === null)
    throw new Refusal('invalid_request', `${param}: there is no such ${to ? 'day' : 'length'}.`, { param })
  if (target < now)
    throw new Refusal('invalid_request', `The clock shows ${toIso(now)}; time does not go back.`, { param })
  if (target > endOfTime)
    throw new Refusal('invalid_request', `Time ends at ${toIso(endOfTime)}; that is further.`, { param })
  return target
}

function afterLength(now: Instant, by: string): Instant | null {
  const length = parseDuration(by)
  return length === null ? null : after(now, length)
}
