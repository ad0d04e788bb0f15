/** What the simulator does next in one organization and mode, and when its campaigns may call. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { DateTime } from '../base/date-time.js'
import { noBody, noParams } from '../base/empty-body.js'
import { Id } from '../base/identifiers.js'
import { dataReply, limit } from '../base/page.js'
import { Appointment } from './agenda.js'
import { tenantScope } from './tenant-scope.js'

const defaultLimit = 50

export const ZoneHours = z
  .object({
    campaign_id: Id,
    campaign: z.string(),
    zone: z.string().meta({ description: 'One or more time zones. All of them must allow a call.' }),
    queued: z.int().min(0),
    scheduled: z.int().min(0),
    is_open: z.boolean(),
    changes_at: DateTime.nullable(),
    open: z
      .array(z.object({ from: DateTime, to: DateTime }))
      .meta({ description: 'Open spans in the 24 hours after the `from` of the schedule.' }),
  })
  .meta({ id: 'ZoneHours' })
export type ZoneHours = z.output<typeof ZoneHours>

export const Schedule = z
  .object({
    now: DateTime,
    appointments: z.array(Appointment).meta({ description: 'By time.' }),
    from: DateTime.meta({ description: 'The start of the hour.' }),
    hours: z.array(ZoneHours).meta({
      description:
        'Campaigns with the time zones of leads that wait for calling hours, or with that of the organization.',
    }),
  })
  .meta({ id: 'Schedule' })
export type Schedule = z.output<typeof Schedule>

export const getSchedule = endpoint({
  id: 'schedule.get',
  method: 'GET',
  path: '/_sim/schedule',
  summary: 'Read the next appointments and the calling hours of one organization and mode',
  permissions: [],
  params: noParams,
  query: z.object({ limit: limit(defaultLimit), ...tenantScope }),
  body: noBody,
  replies: { 200: dataReply(Schedule) },
  refusals: ['not_found'],
})
