/** Serves texts, inbound calls, DNC entries by people, and call corrections. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { correctCall } from '../../dialing/call-corrections.js'
import { addAllToDnc, parseDncNumber } from '../../dialing/dnc.js'
import { receiveInboundCall, receiveText } from '../../dialing/inbound.js'
import { serializeCall } from '../../model/serialize/calls.js'
import { tenantNumberOf } from '../../model/organization.js'
import type { Tenant } from '../../model/world.js'
import { replyAccepted, replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import { campaignNamed, inAnyTenant, tenantNamed, type ControlContext } from './context.js'

type TelephoneHandlers = Pick<ControlHandlers, 'receiveText' | 'receiveCall' | 'addDncInApp' | 'correctCall'>

export function telephoneHandlers(context: ControlContext): TelephoneHandlers {
  const { world, steps } = context
  return {
    receiveText: ({ body: { from, body, ...whose } }) =>
      replyAccepted(
        steps.step(() => {
          const tenant = tenantNamed(context, whose)
          return { opted_out: receiveText(tenant, callerOf(tenant, from), body) }
        }),
      ),
    receiveCall: ({ body: { from, campaign_id, mode, outcome } }) =>
      replyCreated(
        steps.step(() => {
          const campaign = campaignNamed(context, campaign_id, { param: 'campaign_id' })
          const tenant = world.tenant(tenantNumberOf(campaign.organization, mode))
          return serializeCall(tenant, receiveInboundCall(tenant, campaign, callerOf(tenant, from), outcome))
        }),
      ),
    addDncInApp: ({ body: { phones, source, ...whose } }) =>
      replyOk(steps.step(() => addAllToDnc(tenantNamed(context, whose), phones, source))),
    correctCall: ({ params, body }) =>
      replyOk(
        steps.step(() => {
          const { tenant, row } = inAnyTenant(context, 'call', ({ calls }) => calls.byId(params.id))
          return serializeCall(tenant, correctCall(tenant, row, body))
        }),
      ),
  }
}

/** The stored form of a number that can call or text. */
function callerOf(tenant: Tenant, from: string): string {
  const phone = parseDncNumber(tenant, from)
  if (phone === null) throw new ApiError('invalid_phone', 'The phone is not a telephone number.', { param: 'from' })
  return phone
}
