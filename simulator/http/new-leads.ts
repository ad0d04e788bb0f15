/** How many new leads a request brings: what the limit of new leads a minute counts (specification, Limits). */
import type { EndpointName } from '../../src/contract/index.js'
import type { ParsedInput } from './input.js'

const one = () => 1
const many = ({ leads }: { leads: unknown[] }) => leads.length

const counts: Partial<Record<EndpointName, (body: { leads: unknown[] }) => number>> = {
  createLead: one,
  createCampaignLead: one,
  createLeads: many,
  createCampaignLeads: many,
}

/** Each lead of a batch counts, refused ones too; a dry run brings none (by decision: New leads a minute). */
export function countNewLeads(name: EndpointName, { body }: ParsedInput): number {
  const count = counts[name]
  const words = body as { dry_run: boolean; leads: unknown[] }
  return count === undefined || words.dry_run ? 0 : count(words)
}
