/** Serves what happens on the telephone outside the API: texts and calls that come in, numbers marked and calls corrected by people. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { correct } from '../../dialing/call-corrections.js'
import { listAll, numberToList } from '../../dialing/dnc.js'
import { receiveCall, receiveText } from '../../dialing/inbound.js'
import { callOnWire } from '../../model/serialize/calls.js'
import { tenantOf } from '../../model/organization.js'
import type { Organization } from '../../model/world.js'
import { accepted, created, ok, type ControlHandlers } from '../handler.js'
import { campaignNamed, inWhichever, tenantNamed, type Plane } from './context.js'

type TelephoneHandlers = Pick<ControlHandlers, 'receiveText' | 'receiveCall' | 'addDncInApp' | 'correctCall'>

export function telephoneHandlers(plane: Plane): TelephoneHandlers {
  const { world, steps } = plane
  return {
    receiveText: ({ body: { from, body, ...whose } }) =>
      accepted(
        steps.step(() => {
          const organization = tenantNamed(plane, whose)
          return { opted_out: receiveText(organization, caller(organization, from), body) }
        }),
      ),
    receiveCall: ({ body: { from, campaign_id, mode, outcome } }) =>
      created(
        steps.step(() => {
          const campaign = campaignNamed(plane, campaign_id, { param: 'campaign_id' })
          const organization = world.organization(tenantOf(campaign.organization, mode))
          return callOnWire(organization, receiveCall(organization, campaign, caller(organization, from), outcome))
        }),
      ),
    addDncInApp: ({ body: { phones, source, ...whose } }) =>
      ok(steps.step(() => listAll(tenantNamed(plane, whose), phones, source))),
    correctCall: ({ params, body }) =>
      ok(
        steps.step(() => {
          const { organization, row } = inWhichever(plane, 'call', ({ calls }) => calls.byId(params.id))
          return callOnWire(organization, correct(organization, row, body))
        }),
      ),
  }
}

/** The stored form of a number that can call or text. */
function caller(organization: Organization, from: string): string {
  const phone = numberToList(organization, from)
  if (phone === null) throw new Refusal('invalid_phone', 'The phone is not a telephone number.', { param: 'from' })
  return phone
}
