/** Serves the clock and the health check. */
import type { ClockAdvance } from '../../../src/contract/control/clock.js'
import { advanceWithinDays } from '../../../src/contract/limits.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { after, endOfTime, fromIso, parseDuration, toIso, type Instant } from '../../kernel/instant.js'
import type { StopCondition } from '../../model/stop-condition.js'
import { replyOk, type ControlHandlers } from '../handler.js'
import type { ControlContext } from './context.js'
import { reachedOf, stopCondition } from './until.js'

export function clockHandlers(
  context: ControlContext,
): Pick<ControlHandlers, 'getHealth' | 'getClock' | 'updateClock' | 'advanceClock' | 'stopAdvance'> {
  const { clock, steps, world } = context
  const shown = () => steps.read(() => ({ now: toIso(world.now), speed: clock.speed, paused: clock.paused }))
  /** Advances time. Also returns whether it was stopped before its end. */
  const advance = async (...how: Parameters<ControlContext['advance']>) => {
    const { events, isStopped } = await context.advance(...how)
    return { events, ...(isStopped && { stopped: true as const }) }
  }
  return {
    getHealth: () =>
      replyOk({
        status: 'ok' as const,
        version: context.version,
        now: shown().now,
        base_url: context.baseUrl(),
        local_webhooks: context.allowsLocalWebhooks,
      }),
    getClock: () => replyOk(shown()),
    updateClock: ({ body }) => {
      context.setClock(body)
      return replyOk(shown())
    },
    advanceClock: async ({ body }, isWanted) => {
      const { until } = body
      if (!until) {
        const advanced = await advance((now) => targetOf(now, body), isWanted)
        return replyOk({ ...shown(), ...advanced })
      }
      let condition: StopCondition | null = null
      const advanced = await advance(
        (now) => targetOf(now, body),
        isWanted,
        () => (condition = stopCondition(world, until)),
      )
      return replyOk({ ...shown(), ...advanced, ...reachedOf(world, condition) })
    },
    stopAdvance: () => {
      const stopped = context.stopAdvances()
      return replyOk({ ...shown(), stopped })
    },
  }
}

function targetOf(now: Instant, { by, to, within }: ClockAdvance): Instant {
  const param = to !== undefined ? 'to' : by !== undefined ? 'by' : 'within'
  const target = to === undefined ? afterLength(now, String(by ?? within ?? `${advanceWithinDays}d`)) : fromIso(to)
  if (target === null)
    throw new ApiError('invalid_request', `${param}: there is no such ${to ? 'day' : 'length'}.`, { param })
  if (target < now)
    throw new ApiError('invalid_request', `The clock shows ${toIso(now)}; time does not go back.`, { param })
  if (target > endOfTime)
    throw new ApiError('invalid_request', `Time ends at ${toIso(endOfTime)}; that is further.`, { param })
  return target
}

function afterLength(now: Instant, by: string): Instant | null {
  const length = parseDuration(by)
  return length === null ? null : after(now, length)
}
