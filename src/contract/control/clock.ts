/** The simulated clock: what it shows, how fast it goes, and pushing it forward. */
import { z } from 'zod'
import { endpoint } from '../endpoint.js'
import { Moment, SentMoment } from '../moment.js'
import { noBody, noParams, noQuery } from '../nothing.js'
import { one } from '../page.js'

export const Clock = z
  .object({
    now: Moment,
    speed: z.number().positive().meta({ description: 'Simulated seconds in a real one.' }),
    paused: z.boolean(),
  })
  .meta({ id: 'Clock' })
export type Clock = z.output<typeof Clock>

export const ClockAdvanced = Clock.extend({
  events: z.int().min(0).meta({ description: 'How many things happened on the way.' }),
}).meta({ id: 'ClockAdvanced' })
export type ClockAdvanced = z.output<typeof ClockAdvanced>

const error = 'send a length of time such as 90s, 4m, 24h or 31d, or a number of seconds'
/** A length of time: `90s`, `4m`, `24h`, `31d`, `1h30m`, or a number of seconds. */
export const Length = z.union(
  [z.number().min(0, error), z.string().regex(/^(\d+(\.\d+)?|(\d+(\.\d+)?(ms|[smhdw]))+)$/, error)],
  { error },
)

export const ClockAdvance = z
  .strictObject({ by: Length.optional(), to: SentMoment.optional() })
  .refine(({ by, to }) => (by === undefined) !== (to === undefined), { path: ['by'], error: 'send either by or to' })
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
  replies: { 200: one(Clock) },
  refusals: [],
})

export const updateClock = endpoint({
  id: 'clock.update',
  method: 'PATCH',
  path: '/_sim/clock',
  summary: 'Pause the clock, let it go on, or change its speed',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ speed: z.number().positive().optional(), paused: z.boolean().optional() }),
  replies: { 200: one(Clock) },
  refusals: [],
})

export const advanceClock = endpoint({
  id: 'clock.advance',
  method: 'POST',
  path: '/_sim/clock/advance',
  summary: 'Push time forward; everything due on the way happens before the answer',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: ClockAdvance,
  replies: { 200: one(ClockAdvanced) },
  refusals: [],
})
