/** Counts the new leads of a request for the limit of new leads (rule L3). */
import type { EndpointName } from '../../src/contract/index.js'
import type { ParsedInput } from './input.js'

const countOne = () => 1
const countLeads = ({ leads }: { leads: unknown[] }) => leads.length

const counts: Partial<Record<EndpointName, (body: { leads: unknown[] }) => number>> = {
  createLead: countOne,
  createCampaignLead: countOne,
  createLeads: countLeads,
  createCampaignLeads: countLeads,
}

/** Counts each lead of a batch, including refused ones. A dry run counts none. */
export function countNewLeads(name: EndpointName, { body }: ParsedInput): number {
  const count = counts[name]
  const fields = body as { dry_run: boolean; leads: unknown[] }
  return count === undefined || fields.dry_run ? 0 : count(fields)
}
