/** Serves leads: add, read, list, change and opt out. */
import type { Contract } from '../../../src/contract/index.js'
import type { InputOf } from '../../../src/contract/base/endpoint.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import type { LeadAccepted, LeadBatchResult } from '../../../src/contract/new-leads.js'
import { maskPersonalData } from '../../../src/phone/mask.js'
import { acceptLead, changeLead, optOutLead } from '../../dialing/leads.js'
import type { LeadInput } from '../../dialing/admission-request.js'
import { serializeAcceptedLead, serializeLead } from '../../model/serialize/resources.js'
import type { Campaign } from '../../model/campaign.js'
import type { Principal } from '../principal.js'
import { cursorNumber } from '../cursor.js'
import { replyCreated, replyOk, replyPage, type Handlers } from '../handler.js'
import { filterInstant } from '../moment-filter.js'

type LeadHandlers = Pick<
  Handlers,
  | 'createLead'
  | 'createLeads'
  | 'createCampaignLead'
  | 'createCampaignLeads'
  | 'getLead'
  | 'listLeads'
  | 'updateLead'
  | 'optOutLead'
>

export const leadHandlers: LeadHandlers = {
  createLead: (caller, { body: { campaign_id, dry_run, ...input } }) => addOne(caller, campaign_id, input, dry_run),
  createCampaignLead: (caller, { params, body: { dry_run, ...input } }) =>
    addOne(caller, params.campaignId, input, dry_run),
  createLeads: (caller, { body }) => addMany(caller, body),
  createCampaignLeads: (caller, { params, body }) => addMany(caller, { ...body, campaign_id: params.campaignId }),
  getLead: (caller, { params }) => replyOk(serializeLead(caller.tenant, caller.lead(params.id))),
  listLeads,
  updateLead: (caller, { params, body }) => {
    const lead = caller.lead(params.id)
    changeLead(caller.tenant, lead, body)
    return replyOk(serializeLead(caller.tenant, lead))
  },
  optOutLead: (caller, { params, body }) => {
    const { lead, callInProgress } = optOutLead(caller.tenant, caller.lead(params.id), body.reason)
    return replyOk({ ...serializeLead(caller.tenant, lead), call_in_progress: callInProgress })
  },
}

function addOne(caller: Principal, campaignId: string, input: LeadInput, dryRun: boolean) {
  const campaign = caller.campaignToWrite(campaignId)
  const take = () => addLeadOrRehearse(caller, campaign, input)
  const { requeued, ...lead } = dryRun ? rehearseLead(caller.world.rehearse(take)) : take()
  return dryRun || requeued ? replyOk({ ...lead, ...(requeued && { requeued }) }) : replyCreated(lead)
}

/** Adds a lead and returns its state. In a dry run the caller rolls the step back. */
function addLeadOrRehearse({ tenant, key }: Principal, campaign: Campaign | null, input: LeadInput): LeadAccepted {
  const { lead, requeued } = acceptLead(tenant, key, campaign, input)
  return serializeAcceptedLead(tenant, lead, { requeued })
}

/** The answer to a dry run, after its changes are rolled back (rule A5). */
const rehearseLead = (lead: LeadAccepted): LeadAccepted => ({ ...lead, id: null, dry_run: true })

type Batch = InputOf<Contract['createLeads']>['body']

function addMany(caller: Principal, { campaign_id, dry_run, leads }: Batch) {
  // Refuses the whole batch if one campaign is outside the scope of the key (rule A6).
  const campaigns = leads.map((lead) => caller.campaignToWrite(lead.campaign_id ?? campaign_id ?? ''))
  const takeAll = () =>
    leads.map(({ campaign_id: _campaign, ...input }, index) => resultOf(caller, index, campaigns[index] ?? null, input))
  const results = dry_run ? rehearsedBatch(caller.world.rehearse(takeAll)) : takeAll()
  const succeeded = results.filter((result) => result.ok).length
  return replyOk({ succeeded, failed: results.length - succeeded, dry_run, results, livemode: caller.live })
}

type Result = LeadBatchResult['results'][number]

function resultOf(caller: Principal, index: number, campaign: Campaign | null, input: LeadInput): Result {
  try {
    return { index, ok: true, lead: addLeadOrRehearse(caller, campaign, input) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, details } = error
    const lead_id = details.lead_id === undefined ? {} : { lead_id: details.lead_id }
    return {
      index,
      ok: false,
      error: { code, message: maskPersonalData(message), param: details.param ?? null, ...lead_id },
    }
  }
}

/**
 * The results of a batch dry run. The whole batch runs before the rollback, so its leads can be duplicates of each
 * other. New leads have no id.
 */
function rehearsedBatch(results: Result[]): Result[] {
  const made = new Set(results.flatMap((result) => (result.ok && !result.lead.requeued ? [result.lead.id] : [])))
  return results.map((result) => {
    if (result.ok) return { ...result, lead: rehearseLead(result.lead) }
    const { lead_id } = result.error
    return lead_id && made.has(lead_id) ? { ...result, error: { ...result.error, lead_id: null } } : result
  })
}

function listLeads(caller: Principal, { query }: InputOf<Contract['listLeads']>) {
  const { tenant } = caller
  if (query.external_id !== undefined) return oneByExternalId(caller, query.external_id, query.campaign_id)
  const before = cursorNumber(query.starting_after, (id) => caller.leadOrNull(id)?.n)
  const rows = tenant.leadLists.page(
    {
      campaigns: caller.campaignsToRead(query.campaign_id),
      status: query.status,
      createdFrom: filterInstant(query['created[gte]']),
    },
    before,
    query.limit + 1,
  )
  return replyPage(rows, query.limit, (lead) => serializeLead(tenant, lead, { inList: true }))
}

function oneByExternalId(caller: Principal, externalId: string, campaignId: string | undefined) {
  return replyOk(serializeLead(caller.tenant, requireLead(caller, externalId, campaignId)))
}

/** The only lead with this external id that the key can see. */
export function requireLead(caller: Principal, externalId: string, campaignId: string | undefined) {
  const { tenant } = caller
  const seen = caller.campaignsToRead(campaignId)
  const leads = tenant.leads.listByExternalId(externalId).filter(({ campaign }) => !seen || seen.includes(campaign))
  const [lead] = leads
  if (!lead) throw new ApiError('not_found', 'There is no lead with this external_id.', { param: 'external_id' })
  if (leads.length > 1) {
    throw new ApiError('ambiguous_external_id', 'Several campaigns have this external_id. Add campaign_id.', {
      param: 'external_id',
      candidates: leads.map(({ n, campaign }) => ({
        id: tenant.leads.id(n),
        campaign_id: tenant.campaign(campaign).id,
      })),
    })
  }
  return lead
}
