/** Call scripts: what happens on the next calls to a number. */
import * as z from 'zod'
import { Speaker } from '../calls.js'
import { endpoint } from '../base/endpoint.js'
import { Mode } from '../base/identifiers.js'
import { phoneLength } from '../limits.js'
import { DateTimeInput } from '../base/date-time.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { Outcome } from '../base/outcomes.js'
import { dataReply } from '../base/page.js'
import { answers } from '../enums.js'
import { tenantScope } from './tenant-scope.js'

export const Answer = z.enum(answers).meta({ id: 'CallAnswer' })
export type Answer = z.output<typeof Answer>

/** At most one day. */
const seconds = z.number().min(0).max(86_400)

/** Script times count from the answer of the call; ringing times count from its start. */
export const ScriptedCall = z
  .strictObject({
    answer: Answer,
    ring_seconds: seconds.optional(),
    talk_seconds: seconds.optional(),
    outcome: Outcome.optional(),
    callback_at: DateTimeInput.optional(),
    handover: z
      .strictObject({ role: z.enum(['sdr', 'closer']), accept_after_seconds: seconds.optional() })
      .nullable()
      .optional()
      .meta({ description: 'Null if no person takes over the call.' }),
    interested_after_seconds: seconds.optional(),
    dnc_by: z.enum(['ai', 'outcome']).optional(),
    lines: z.array(z.strictObject({ speaker: Speaker, text: z.string() })).optional(),
  })
  .meta({ id: 'ScriptedCall' })
export type ScriptedCall = z.output<typeof ScriptedCall>

export const Script = z
  .strictObject({
    phone: z.string().max(phoneLength),
    calls: z.array(ScriptedCall).min(1).meta({ description: 'In order; the last one again after that.' }),
    ...tenantScope,
  })
  .meta({ id: 'Script' })
export type Script = z.output<typeof Script>

export const setScript = endpoint({
  id: 'scripts.set',
  method: 'POST',
  path: '/_sim/scripts',
  summary: 'Say what the next calls to a number do',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: Script,
  replies: {
    201: dataReply(z.object({ phone: z.string(), mode: Mode, organization_id: z.string(), calls: z.int().min(1) })),
  },
  refusals: ['invalid_phone', 'not_found'],
})

export const removeScript = endpoint({
  id: 'scripts.remove',
  method: 'DELETE',
  path: '/_sim/scripts',
  summary: 'Forget the script of a number, or every script',
  permissions: [],
  params: noParams,
  query: z.object({ phone: z.string().max(phoneLength).optional(), ...tenantScope }),
  body: noBody,
  replies: { 200: dataReply(z.object({ removed: z.int().min(0) })) },
  refusals: ['invalid_phone', 'not_found'],
})
