/** Parses the stop condition of an advance of the clock. */
import type { ClockUntil } from '../../../src/contract/control/clock.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { eventTypes } from '../../../src/contract/enums.js'
import { StopCondition } from '../../model/stop-condition.js'
import type { World } from '../../model/world.js'
import { envelopeOf } from '../../webhooks/outbox.js'
import { compileGlob } from './faults/glob.js'
import { inAnyTenant } from './context.js'

export function stopCondition(world: World, { event, lead_id, status, outcome }: ClockUntil): StopCondition {
  return new StopCondition(world, {
    lead: lead_id === undefined ? undefined : leadOf(world, lead_id),
    status,
    outcome,
    isWantedEvent: event === undefined ? undefined : eventTester(event),
  })
}

/** Whether the condition was met, and the envelope of the event that met it. */
export function reachedOf(world: World, condition: StopCondition | null) {
  const event = condition?.event
  return {
    reached: condition?.isReached ?? false,
    ...(event && { event: envelopeOf(world.tenant(event.tenant), event) }),
  }
}

function leadOf(world: World, id: string) {
  const { tenant, row } = inAnyTenant({ world }, 'lead', ({ leads }) => leads.byId(id))
  return { tenant: tenant.n, n: row.n }
}

function eventTester(glob: string): (type: string) => boolean {
  const isWanted = compileGlob(glob)
  if (eventTypes.some(isWanted)) return isWanted
  throw new ApiError(
    'invalid_request',
    `until.event: no event is called ${glob}. The types are ${eventTypes.join(', ')}.`,
    {
      param: 'until.event',
    },
  )
}
