/** Sample rows for exports of test keys (rule X2). */
import type { EventType } from '../../src/contract/events.js'
import type { ExportType } from '../../src/contract/exports.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { dayOf } from '../../src/phone/local-day.js'
import { before, days } from '../kernel/instant.js'
import type { Tenant } from '../model/world.js'
import { noOutcomes, type CampaignDay } from './export-tables.js'
import { outcomeLabel } from '../model/outcome.js'
import { sampleEvent } from '../webhooks/sample-events.js'

/** Reserved test numbers, which belong to no person. */
const people: readonly { name: string; phone: string; outcome: Outcome }[] = [
  { name: 'Sample Lead', phone: '+15550100001', outcome: 'interested' },
  { name: 'Robin Example', phone: '+15550100002', outcome: 'voicemail' },
  { name: 'Kim Placeholder', phone: '+15550100003', outcome: 'not_interested' },
]

export const createSampleRows = (tenant: Tenant, type: ExportType): object[] =>
  people.map((person, i) => rows[type](tenant, person, i))

type Row = (tenant: Tenant, person: (typeof people)[number], i: number) => object

const campaignOf = ({ organizationNumber: n, world }: Tenant) => {
  const [campaign] = world.campaigns.listByOrganization(n)
  return {
    campaign_id: campaign?.id ?? world.ids.uuid('sample/campaign', 1),
    campaign_name: campaign?.name ?? 'Sample campaign',
  }
}

/** The lead or the call of a sample event. */
function sampleOf(tenant: Tenant, type: EventType): object {
  const { ids, now } = tenant.world
  const { campaign_id: campaignId } = campaignOf(tenant)
  return sampleEvent(ids, type, { id: '', campaignId, now }).data.object
}

const sampleLead: Row = (tenant, { name, phone, outcome }, i) => ({
  ...sampleOf(tenant, 'lead.created'),
  id: tenant.world.ids.uuid('sample/lead', i + 1),
  external_id: `sample-${i + 1}`,
  name,
  phone,
  status: 'done',
  attempts: 1,
  last_outcome: outcome,
  last_outcome_label: outcomeLabel(outcome),
})

const sampleCall: Row = (tenant, person, i) => ({
  ...sampleOf(tenant, 'call.completed'),
  id: tenant.world.ids.uuid('sample/call', i + 1),
  lead: sampleLead(tenant, person, i),
  outcome: person.outcome,
  outcome_label: outcomeLabel(person.outcome),
})

const sampleDay = (tenant: Tenant, { outcome }: (typeof people)[number], i: number): CampaignDay => ({
  day: dayOf(tenant.record.time_zone, before(tenant.world.now, days(people.length - i))),
  ...campaignOf(tenant),
  leads_added: 10 + i,
  calls: 12 + i,
  calls_connected: 5 + i,
  minutes: 14 + i,
  outcomes: { ...noOutcomes(), [outcome]: 5 + i },
})

const rows: Readonly<Record<ExportType, Row>> = { leads: sampleLead, call_history: sampleCall, analytics: sampleDay }
