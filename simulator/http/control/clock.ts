/** Serves the clock of the control plane, and whether the simulator is up. */
import { Refusal } from '../../../src/contract/refusals.js'
import { after, endOfTime, fromIso, parseDuration, toIso, type Instant } from '../../kernel/instant.js'
import { ok, type ControlHandlers } from '../handler.js'
import type { Plane } from './plane.js'

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
      const events = await plane.advance((now) => targetOf(now, body), isWanted)
      return ok({ ...shown(), events })
    },
  }
}

function targetOf(now: Instant, { by, to }: { by?: string | number | undefined; to?: string | undefined }): Instant {
  const param = to === undefined ? 'by' : 'to'
  const target = to === undefined ? afterLength(now, String(by)) : fromIso(to)
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
