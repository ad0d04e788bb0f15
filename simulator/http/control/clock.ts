/** Serves the clock of the control plane, and whether the simulator is up. */
import { Refusal } from '../../../src/contract/refusals.js'
import { after, fromIso, parseDuration, toIso, type Instant } from '../../kernel/instant.js'
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
    advanceClock: async ({ body }) => {
      const events = await plane.advance((now) => targetOf(now, body))
      return ok({ ...shown(), events })
    },
  }
}

function targetOf(now: Instant, { by, to }: { by?: string | number | undefined; to?: string | undefined }): Instant {
  if (to !== undefined) {
    const target = fromIso(to)
    if (target === null) throw new Refusal('invalid_request', 'Send to as a date-time.', { param: 'to' })
    if (target < now) {
      throw new Refusal('invalid_request', `The clock shows ${toIso(now)}; time does not go back.`, { param: 'to' })
    }
    return target
  }
  const length = parseDuration(String(by))
  const target = length === null ? null : after(now, length)
  if (target === null || !(target <= latest))
    throw new Refusal('invalid_request', 'Send by as a length of time.', { param: 'by' })
  return target
}

/** The last moment a date can name with four digits of the year. */
const latest = Date.UTC(9999, 11, 31)
