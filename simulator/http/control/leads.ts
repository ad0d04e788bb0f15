/** Serves what people do with leads in the app. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { fromIso } from '../../kernel/instant.js'
import { dialNextAt, load, putBack, takeOut } from '../../dialing/app-actions.js'
import { leadOnWire } from '../../model/serialize/resources.js'
import type { Lead } from '../../model/lead.js'
import { tenantOf } from '../../model/organization.js'
import type { Organization } from '../../model/world.js'
import { created, ok, type ControlHandlers } from '../handler.js'
import { campaignNamed, inWhichever, type Plane } from './context.js'

type LeadHandlers = Pick<ControlHandlers, 'loadLeads' | 'takeOutLead' | 'putBackLead' | 'updateLeadInApp'>

export function leadHandlers(plane: Plane): LeadHandlers {
  const { world, steps } = plane
  /** Does something with a lead and shows it as it is then. */
  const withLead = (id: string, work: (organization: Organization, lead: Lead) => Lead) =>
    ok(
      steps.step(() => {
        const { organization, row } = inWhichever(plane, 'lead', ({ leads }) => leads.byId(id))
        return leadOnWire(organization, work(organization, row))
      }),
    )
  return {
    loadLeads: ({ body: { campaign_id, mode, organization_id, leads } }) =>
      created(
        steps.step(() => {
          const campaign = campaignNamed(plane, campaign_id, { organization_id, param: 'campaign_id' })
          const organization = world.organization(tenantOf(campaign.organization, mode))
          return { ids: load(organization, campaign, leads).map((n) => organization.leads.id(n)) }
        }),
      ),
    takeOutLead: ({ params }) => withLead(params.id, takeOut),
    putBackLead: ({ params }) => withLead(params.id, putBack),
    updateLeadInApp: ({ params, body }) => {
      const at = fromIso(body.next_dial_at)
      if (at === null)
        throw new Refusal('invalid_request', 'Send next_dial_at as a date-time.', { param: 'next_dial_at' })
      return withLead(params.id, (organization, lead) => dialNextAt(organization, lead, at))
    },
  }
}
