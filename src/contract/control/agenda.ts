/** The agenda: what the simulator does next, and which leads wait for what. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { Id } from '../base/identifiers.js'
import { LeadStatus } from '../leads.js'
import { DateTime } from '../base/date-time.js'
import { DialingRule } from './explain.js'
import { noBody, noParams } from '../base/empty-body.js'
import { limit, dataReply } from '../base/page.js'

const defaultLimit = 100
const mostAppointments = 1_000

export const Appointment = z
  .object({
    at: DateTime,
    kind: z.string().meta({ description: 'The kind of task.' }),
    subject: z.string().nullable().meta({ description: 'The id of the lead, call or delivery it is about.' }),
    what: z.string().meta({ description: 'What is going to happen, in words.' }),
  })
  .meta({ id: 'Appointment' })
export type Appointment = z.output<typeof Appointment>

export const WaitingLead = z
  .object({
    id: Id,
    campaign_id: Id,
    name: z.string().nullable(),
    phone: z.string(),
    status: LeadStatus,
    since: DateTime.nullable(),
    until: DateTime.nullable().meta({ description: 'Null where no time is set.' }),
    decides: DialingRule.nullable().meta({ description: 'The rule that decides when it is called.' }),
    why: z.string().meta({ description: 'Why it is not called now, as text: what the deciding rule says.' }),
  })
  .meta({ id: 'WaitingLead' })
export type WaitingLead = z.output<typeof WaitingLead>

export const Agenda = z
  .object({
    now: DateTime.meta({ description: 'What the clock shows.' }),
    appointments: z.array(Appointment).meta({ description: 'By time.' }),
    waiting: z.array(WaitingLead),
  })
  .meta({ id: 'Agenda' })
export type Agenda = z.output<typeof Agenda>

export const getAgenda = endpoint({
  id: 'agenda.get',
  method: 'GET',
  path: '/_sim/agenda',
  summary: 'Read what is going to happen, and which leads wait for what',
  permissions: [],
  params: noParams,
  query: z.object({ limit: limit(defaultLimit, mostAppointments) }),
  body: noBody,
  replies: { 200: dataReply(Agenda) },
  refusals: [],
})
