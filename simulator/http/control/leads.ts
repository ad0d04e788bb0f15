/** Serves what people do with leads in the app (rule D16). */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { fromIso } from '../../kernel/instant.js'
import { setNextDialTime, loadLeads, putLeadBack, takeLeadOut } from '../../dialing/app-actions.js'
import { serializeLead } from '../../model/serialize/resources.js'
import type { Lead } from '../../model/lead.js'
import { tenantNumberOf } from '../../model/organization.js'
import type { Tenant } from '../../model/world.js'
import { replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import { campaignNamed, inAnyTenant, type ControlContext } from './context.js'

type LeadHandlers = Pick<ControlHandlers, 'loadLeads' | 'takeOutLead' | 'putBackLead' | 'updateLeadInApp'>

export function leadHandlers(context: ControlContext): LeadHandlers {
  const { world, steps } = context
  /** Changes a lead and replies with the result. */
  const withLead = (id: string, work: (tenant: Tenant, lead: Lead) => Lead) =>
    replyOk(
      steps.step(() => {
        const { tenant, row } = inAnyTenant(context, 'lead', ({ leads }) => leads.byId(id))
        return serializeLead(tenant, work(tenant, row))
      }),
    )
  return {
    loadLeads: ({ body: { campaign_id, mode, organization_id, leads } }) =>
      replyCreated(
        steps.step(() => {
          const campaign = campaignNamed(context, campaign_id, { organization_id, param: 'campaign_id' })
          const tenant = world.tenant(tenantNumberOf(campaign.organization, mode))
          return { ids: loadLeads(tenant, campaign, leads).map((n) => tenant.leads.id(n)) }
        }),
      ),
    takeOutLead: ({ params }) => withLead(params.id, takeLeadOut),
    putBackLead: ({ params }) => withLead(params.id, putLeadBack),
    updateLeadInApp: ({ params, body }) => {
      const at = fromIso(body.next_dial_at)
      if (at === null)
        throw new ApiError('invalid_request', 'Send next_dial_at as a date-time.', { param: 'next_dial_at' })
      return withLead(params.id, (tenant, lead) => setNextDialTime(tenant, lead, at))
    },
  }
}
