/** What happens outside the API: incoming texts and calls, retired numbers, and corrections of calls by people. */
import * as z from 'zod'
import { Call } from '../calls.js'
import { DncBatchResult, dncNumbers } from '../dnc.js'
import { endpoint } from '../base/endpoint.js'
import { Mode, SentId, byId } from '../base/identifiers.js'
import { phoneLength } from '../limits.js'
import { noParams, noQuery } from '../base/empty-body.js'
import { Outcome } from '../base/outcomes.js'
import { dataReply } from '../base/page.js'
import { tenantScope } from './tenant-scope.js'

const phone = z.string().max(phoneLength)

export const receiveText = endpoint({
  id: 'texts.receive',
  method: 'POST',
  path: '/_sim/texts',
  summary: 'Simulate an incoming text message; STOP opts the sender out',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ from: phone, body: z.string(), ...tenantScope }),
  replies: { 202: dataReply(z.object({ opted_out: z.boolean() })) },
  refusals: ['invalid_phone', 'not_found'],
})

export const receiveCall = endpoint({
  id: 'calls.receive',
  method: 'POST',
  path: '/_sim/inbound_calls',
  summary: 'Simulate an incoming call to a campaign',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({
    from: phone,
    campaign_id: SentId,
    mode: Mode.default('live'),
    outcome: Outcome.optional(),
  }),
  replies: { 201: dataReply(Call) },
  refusals: ['invalid_phone', 'not_found', 'lead_busy'],
})

export const addDncInApp = endpoint({
  id: 'dnc.add',
  method: 'POST',
  path: '/_sim/dnc',
  summary: 'Put numbers on the Do Not Call list in the app',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ phones: dncNumbers, source: z.enum(['manual', 'bulk']), ...tenantScope }),
  replies: { 200: dataReply(DncBatchResult) },
  refusals: ['not_found'],
})

export const correctCall = endpoint({
  id: 'calls.correct',
  method: 'PATCH',
  path: '/_sim/calls/{id}',
  summary: 'Correct what is written about a call',
  permissions: [],
  params: byId,
  query: noQuery,
  body: z.strictObject({
    outcome: Outcome.optional(),
    note: z.string().nullable().optional(),
    outcome_label: z.string().nullable().optional(),
  }),
  replies: { 200: dataReply(Call) },
  refusals: [],
})
