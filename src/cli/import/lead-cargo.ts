/** Leads on their way into a campaign, as batches of the API. */
import type { Client, Contract } from '../../client/client.js'
import { ApiError } from '../../client/errors.js'
import { leadsPerBatch } from '../../contract/limits.js'
import type { LeadBatch, LeadBatchResult } from '../../contract/new-leads.js'
import type { Cargo } from './cargo.js'
import { leadOf, type Consent, type LeadWords } from './lead-fields.js'
import type { Outcome } from './tally.js'

export interface LeadCargoParts {
  client: Client<Contract>
  campaign: string
  /** The field of each column. */
  fields: readonly (string | undefined)[]
  /** What the rows do not say of their consent. */
  consent: Consent
  dryRun: boolean
}

export function leadCargo({ client, campaign, fields, consent, dryRun }: LeadCargoParts): Cargo<LeadWords> {
  const body = (leads: readonly LeadWords[]) => ({ campaign_id: campaign, dry_run: dryRun || undefined, leads })
  return {
    what: 'leads',
    list: 'leads',
    most: leadsPerBatch,
    isLimited: !dryRun,
    make: ({ values }) => leadOf(values, fields, consent),
    body,
    send: async (leads, options) => {
      // A word that is no boolean is sent as it is: it is the service that refuses it.
      const reply = await client.call('createLeads', { body: body(leads) as unknown as LeadBatch }, options)
      const { results } = reply.body.data
      return { outcomes: results.map(outcomeOf), headers: reply.headers, end: endOf(results) }
    },
    isEveryRows: (param) => isOfFlags(param, fields, consent),
  }
}

/** A consent that no column speaks of is that of the flags, whole or in the part that is wrong. */
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

/** What a campaign or a key says to every lead alike, with the status it has when it is said of one alone. */
const statuses: Readonly<Record<string, number>> = {
  not_found: 404,
  campaign_closed: 409,
  queue_full: 429,
  test_flows_busy: 429,
}

/** Where none of a batch is taken for such a reason, none of the next is either. */
function endOf(results: readonly Result[]): ApiError | undefined {
  const refusals = results.map((result) => (result.ok ? undefined : result.error))
  const [first] = refusals
  if (first === undefined || !refusals.every((one) => one !== undefined && one.code in statuses)) return undefined
  const { code, message, param } = first
  return new ApiError(statuses[code] ?? 409, { type: 'invalid_request_error', code, message, param })
}
