/** Starts a call to an existing lead (rule S4). */
import type { InputOf } from '../../../src/contract/base/endpoint.js'
import type { Contract } from '../../../src/contract/index.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { callsLeftToday, startCall } from '../../dialing/start-call.js'
import { serializeAcceptedStatus } from '../../model/serialize/resources.js'
import type { Lead } from '../../model/lead.js'
import type { Principal } from '../principal.js'
import { replyAccepted, type Handlers } from '../handler.js'
import { requireLead } from './leads.js'

export const startCallHandlers: Pick<Handlers, 'startCall'> = {
  startCall: (caller, { body }) => {
    const { tenant, key, live } = caller
    const lead = startCall(tenant, key, findNamedLead(caller, body))
    return replyAccepted({
      lead_id: tenant.leads.id(lead.n),
      external_id: lead.external_id,
      campaign_id: tenant.campaign(lead.campaign).id,
      ...serializeAcceptedStatus(tenant, lead),
      calls_left_today: callsLeftToday(tenant, lead),
      livemode: live,
    })
  },
}

type StartCallBody = InputOf<Contract['startCall']>['body']

/** The lead that matches every id in the request. */
function findNamedLead(caller: Principal, { lead_id, external_id, campaign_id }: StartCallBody): Lead {
  const campaign = campaign_id === undefined ? undefined : caller.campaignToWrite(campaign_id)
  if (campaign === null) throw new ApiError('not_found', 'There is no such campaign.', { param: 'campaign_id' })
  if (lead_id === undefined) return requireLead(caller, external_id ?? '', campaign_id)
  const lead = caller.leadOrNull(lead_id)
  const same =
    lead && (external_id ?? lead.external_id) === lead.external_id && (campaign?.n ?? lead.campaign) === lead.campaign
  if (!same) throw new ApiError('not_found', 'There is no such lead.', { param: 'lead_id' })
  return lead
}
