/** Why a lead is not called now: every dialing rule with its verdict, and the rule that decides. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { Id, byId } from '../base/identifiers.js'
import { DateTime, DateTimeInput } from '../base/date-time.js'
import { noBody } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'
import { LeadStatus } from '../leads.js'

/** The dialing rules by name, in the order in which they are shown. */
export const dialingRules = [
  'campaign',
  'calling_hours',
  'cooldown',
  'dnc',
  'attempts',
  'retired_number',
  'callback',
  'next_dial_time',
  'taken_out',
  'lines',
  'late',
] as const
export const DialingRule = z.enum(dialingRules).meta({ id: 'DialingRule' })
export type DialingRule = z.output<typeof DialingRule>

export const ExplainedRule = z
  .object({
    rule: DialingRule,
    label: z.string().meta({ description: 'Name of the rule for people, such as `calling hours 08:00-21:00`.' }),
    verdict: z.enum(['allows', 'waits', 'forbids', 'unknown']).meta({
      description:
        'allows: does not keep the lead from its call. waits: keeps it, until `until` if that is known. forbids: keeps it for good. ' +
        'unknown: cannot be known.',
    }),
    says: z.string().meta({ description: 'What the rule says about this lead, as text. Times are those of the lead.' }),
    applies: z
      .boolean()
      .meta({ description: 'False if the rule has nothing to say: no callback is booked, for example.' }),
    until: DateTime.nullable().meta({ description: 'When the verdict changes by itself; null if no time is known.' }),
  })
  .meta({ id: 'ExplainedRule' })
export type ExplainedRule = z.output<typeof ExplainedRule>

export const Explanation = z
  .object({
    lead_id: Id,
    campaign_id: Id,
    name: z.string().nullable(),
    phone: z.string(),
    time_zones: z.array(z.string()).meta({ description: 'Time zones of the phone number; empty for a test number.' }),
    status: LeadStatus,
    at: DateTime.meta({ description: 'The moment that the answer is about.' }),
    decides: DialingRule.nullable().meta({
      description:
        'The rule that decides when the lead is called. Null if no rule keeps it from its call, or none is known to.',
    }),
    next_call_at: DateTime.nullable().meta({
      description:
        'The first moment at which hours, cooldown and the times of the lead allow a call. Null if no time is known. A campaign that ' +
        'does not dial then holds the lead: see the rule `campaign`.',
    }),
    rules: z.array(ExplainedRule).meta({ description: 'Every dialing rule, always in the same order.' }),
  })
  .meta({ id: 'Explanation' })
export type Explanation = z.output<typeof Explanation>

export const explainLead = endpoint({
  id: 'leads.explain',
  method: 'GET',
  path: '/_sim/leads/{id}/explain',
  summary: 'Read what each dialing rule says about a lead, and which one decides',
  permissions: [],
  params: byId,
  query: z.object({
    at: DateTimeInput.optional().meta({ description: 'Another moment, not before the clock of the simulator.' }),
    campaign_hours: z
      .string()
      .max(500)
      .optional()
      .meta({
        description: 'Judge with these calling hours instead of those of the campaign.',
        examples: ['mon-fri 09:00-18:00; sat 10:00-14:00'],
      }),
  }),
  body: noBody,
  replies: { 200: dataReply(Explanation) },
  refusals: [],
})
