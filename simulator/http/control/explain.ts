/** Serves the explanation of a lead: what each dialing rule says, and which one decides. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { explain } from '../../../src/dialing/explain.js'
import { parseHoursText } from '../../../src/phone/hours-text.js'
import { explainFactsOf } from '../../dialing/explained-lead.js'
import { fromIso, type Instant } from '../../kernel/instant.js'
import { replyOk, type ControlHandlers } from '../handler.js'
import { inAnyTenant, type ControlContext } from './context.js'

export function explainHandlers(context: ControlContext): Pick<ControlHandlers, 'explainLead'> {
  const { world, steps } = context
  return {
    explainLead: ({ params, query }) =>
      steps.read(() => {
        const { tenant, row } = inAnyTenant(context, 'lead', ({ leads }) => leads.byId(params.id))
        const at = momentAsked(query.at, world.now)
        return replyOk(explain(explainFactsOf(tenant, row, { at, campaignHours: hoursAsked(query.campaign_hours) })))
      }),
  }
}

/** The past is not kept, so a moment before now cannot be judged. */
function momentAsked(text: string | undefined, now: Instant): Instant | undefined {
  if (text === undefined) return undefined
  const at = fromIso(text)
  if (at !== null && at >= now) return at
  const what =
    at === null ? 'Send `at` as a date-time.' : '`at` is before the clock of the simulator. Ask about now or later.'
  throw new ApiError('invalid_request', what, { param: 'at' })
}

function hoursAsked(text: string | undefined) {
  if (text === undefined) return undefined
  const hours = parseHoursText(text)
  if (hours) return hours
  throw new ApiError(
    'invalid_request',
    'campaign_hours: not calling hours. Use a form like mon-fri 09:00-18:00; sat 10:00-14:00.',
    {
      param: 'campaign_hours',
    },
  )
}
