/** Sends leads to a campaign, as batches of the API. */
import type { Client, Contract } from '../../client/client.js'
import { ApiError } from '../../client/errors.js'
import { leadsPerBatch } from '../../contract/limits.js'
import type { LeadBatch, LeadBatchResult } from '../../contract/new-leads.js'
import { missingValue, type Cargo, type Delivered } from './cargo.js'
import { leadOf, type Consent, type LeadWords } from './lead-fields.js'
import type { Outcome } from './tally.js'

export interface LeadCargoParts {
  client: Client<Contract>
  campaign: string
  /** The field of each column. */
  fields: readonly (string | undefined)[]
  /** Consent for rows without their own. */
  consent: Consent
  dryRun: boolean
}

export function leadCargo({ client, campaign, fields, consent, dryRun }: LeadCargoParts): Cargo<LeadWords> {
  const phone = fields.indexOf('phone')
  const body = (leads: readonly LeadWords[]) => ({ campaign_id: campaign, dry_run: dryRun || undefined, leads })
  return {
    what: 'leads',
    list: 'leads',
    most: leadsPerBatch,
    isLimited: !dryRun,
    problem: (row) => missingValue(row, phone, fields.length),
    make: ({ values }) => leadOf(values, fields, consent),
    body,
    send: async (leads, options) => {
      // A value that is not a boolean is sent unchanged, and the service refuses it.
      const reply = await client.call('createLeads', { body: body(leads) as unknown as LeadBatch }, options)
      return { ...outcomesOf(reply.body.data.results), headers: reply.headers }
    },
    isEveryRows: (param) => isOfFlags(param, fields, consent),
  }
}

/** True for a consent that comes from flags, completely or in the wrong part. */
function isOfFlags(param: string, fields: LeadCargoParts['fields'], consent: Consent): boolean {
  const [group, part = ''] = param.split('.')
  if (group !== 'consent') return false
  if (!fields.some((field) => field?.startsWith('consent.'))) return true
  return Object.hasOwn(consent, part) && !fields.includes(param)
}

type Result = LeadBatchResult['results'][number]

function outcomeOf(result: Result): Outcome {
  if (result.ok) return { kind: result.lead.requeued ? 'requeued' : 'added' }
  const { code, message } = result.error
  return { kind: 'refused', code, message }
}

/** Error codes that are not about the lead, with the HTTP status that each has for a single lead. */
const statuses: Readonly<Record<string, number>> = {
  not_found: 404,
  campaign_closed: 409,
  queue_full: 429,
  test_flows_busy: 429,
}

/** The results up to the first lead that was not accepted for a reason not about the leads. */
function outcomesOf(results: readonly Result[]): Pick<Delivered, 'outcomes' | 'stopped'> {
  const first = results.findIndex((result) => !result.ok && result.error.code in statuses)
  const refused = results[first]
  if (refused === undefined || refused.ok || results.slice(first).some(({ ok }) => ok))
    return { outcomes: results.map(outcomeOf), stopped: undefined }
  const { code, message, param } = refused.error
  const stopped = new ApiError(statuses[code] ?? 409, { type: 'invalid_request_error', code, message, param })
  return { outcomes: results.slice(0, first).map(outcomeOf), stopped }
}
