/** The simulated clock: its time and speed, and advancing it. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { Event } from '../events.js'
import { SentId } from '../base/identifiers.js'
import { LeadStatus } from '../leads.js'
import { advanceWithinDays } from '../limits.js'
import { DateTime, DateTimeInput } from '../base/date-time.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { Outcome } from '../base/outcomes.js'
import { dataReply } from '../base/page.js'
import { Glob } from './glob.js'

export const Clock = z
  .object({
    now: DateTime,
    speed: z.number().positive().meta({ description: 'Simulated seconds in a real one.' }),
    paused: z.boolean(),
  })
  .meta({ id: 'Clock' })
export type Clock = z.output<typeof Clock>

export const ClockAdvanced = Clock.extend({
  events: z.int().min(0).meta({ description: 'How many things happened on the way.' }),
  reached: z
    .boolean()
    .optional()
    .meta({ description: 'With until: whether the condition holds. False when the time of within was over first.' }),
  event: Event.optional().meta({ description: 'With until.event: the event that was waited for.' }),
  stopped: z.literal(true).optional().meta({ description: 'Present if the advance was stopped before its end.' }),
}).meta({ id: 'ClockAdvanced' })
export type ClockAdvanced = z.output<typeof ClockAdvanced>

const error = 'send a length of time such as 90s, 4m, 24h or 31d, or a number of seconds'
/** A length of time: `90s`, `4m`, `24h`, `31d`, `1h30m`, or a number of seconds. */
export const Length = z.union(
  [z.number().min(0, error), z.string().regex(/^(\d+(\.\d+)?|(\d+(\.\d+)?(ms|[smhdw]))+)$/, error)],
  { error },
)

export const ClockUntil = z
  .strictObject({
    event: Glob.optional().meta({ description: 'A type of event, or a glob such as call.*. Only new ones count.' }),
    lead_id: SentId.optional().meta({ description: 'The lead it is about; any lead when left out.' }),
    status: LeadStatus.optional().meta({ description: 'The status of the lead.' }),
    outcome: Outcome.optional().meta({ description: 'The last outcome of the lead.' }),
  })
  .refine(({ event, status, outcome }) => event !== undefined || status !== undefined || outcome !== undefined, {
    path: ['event'],
    error: 'send an event, a status or an outcome',
  })
  .meta({ id: 'ClockUntil', description: 'Condition to stop at. All its parts must hold.' })
export type ClockUntil = z.output<typeof ClockUntil>

export const ClockAdvance = z
  .strictObject({
    by: Length.optional(),
    to: DateTimeInput.optional(),
    until: ClockUntil.optional(),
    within: Length.optional().meta({
      description: `How far at most, with until; ${advanceWithinDays}d when left out.`,
    }),
  })
  .refine(({ by, to, until }) => [by, to, until].filter((way) => way !== undefined).length === 1, {
    path: ['by'],
    error: 'send one of by, to and until',
  })
  .refine(({ until, within }) => until !== undefined || within === undefined, {
    path: ['within'],
    error: 'send it with until only',
  })
  .meta({ id: 'ClockAdvance' })
export type ClockAdvance = z.output<typeof ClockAdvance>

export const getClock = endpoint({
  id: 'clock.get',
  method: 'GET',
  path: '/_sim/clock',
  summary: 'Read the simulated clock',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Clock) },
  refusals: [],
})

export const updateClock = endpoint({
  id: 'clock.update',
  method: 'PATCH',
  path: '/_sim/clock',
  summary: 'Pause or resume the clock, or change its speed',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ speed: z.number().positive().optional(), paused: z.boolean().optional() }),
  replies: { 200: dataReply(Clock) },
  refusals: [],
})

export const advanceClock = endpoint({
  id: 'clock.advance',
  method: 'POST',
  path: '/_sim/clock/advance',
  summary:
    'Advance time by a duration, to a moment, or until something happens. Everything due on the way happens before the reply',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: ClockAdvance,
  replies: { 200: dataReply(ClockAdvanced) },
  refusals: ['not_found'],
})

export const stopAdvance = endpoint({
  id: 'clock.stop_advance',
  method: 'DELETE',
  path: '/_sim/clock/advance',
  summary: 'Stop every advance that is under way or waits. Time stands at the moment it has reached',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: {
    200: dataReply(Clock.extend({ stopped: z.int().min(0).meta({ description: 'How many advances were stopped.' }) })),
  },
  refusals: [],
})
