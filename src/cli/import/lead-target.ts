/** Sends leads to a campaign, as batches of the API: the fields of a lead as columns, and the conversion from row to lead. */
import type { Client, Contract } from '../../client/client.js'
import { ApiError } from '../../client/errors.js'
import { leadsPerBatch } from '../../contract/limits.js'
import type { LeadBatch, LeadBatchResult } from '../../contract/new-leads.js'
import { unescapeFormula } from '../../csv/formula.js'
import { resultColumns } from '../../output/columns/results.js'
import {
  describeMissing,
  describeRequired,
  missingParts,
  partsNamed,
  refuseConsent,
  type ConsentPart,
} from './consent-parts.js'
import { allPhoneHeaders, columnsOf, combineValues, plainField } from './source/combined-columns.js'
import { withReason } from './review/number-faults.js'
import type { Field } from './source/columns.js'
import { missingValue, type Delivered, type ImportTarget, type Outcome } from './target.js'

/** Ids in the exports of Salesforce, HubSpot and Zoho. */
const crmIdHeaders = ['leadid', 'recordid', 'recordidcontact', 'contactid', 'hubspotid', 'hsobjectid']

/** Fields with the aliases of their columns. */
export const leadFields: readonly Field[] = [
  {
    name: 'phone',
    also: allPhoneHeaders,
  },
  { name: 'name', also: ['customername'], parts: ['first_name', 'last_name'] },
  { name: 'email', also: ['emailaddress', 'mail', 'email1value'] },
  { name: 'address', also: ['streetaddress', 'postaladdress', 'mailingaddress', 'homeaddress'] },
  { name: 'external_id', also: ['extid', 'crmid'], ranked: crmIdHeaders },
  { name: 'call_now', also: [] },
  { name: 'consent.source', also: ['consentsource'] },
  { name: 'consent.agreed_at', also: ['consentagreedat', 'consentat', 'agreedat', 'consentdate'] },
  { name: 'consent.text', also: ['consenttext'] },
  { name: 'consent.url', also: ['consenturl'] },
  { name: 'consent.ip', also: ['consentip'] },
]

/** Consent fields by name. */
export type Consent = Readonly<Record<string, string>>

/** The consent fields that have a value. */
export const partsGiven = (consent: Readonly<Record<string, string | undefined>> = {}): Consent =>
  Object.fromEntries(Object.entries(consent).filter((part): part is [string, string] => part[1] !== undefined))

/** Every number of a row, also those of columns that are not called because an earlier column has a number. */
export const numbersOfRow = (values: readonly string[], fields: readonly (string | undefined)[]): string[] =>
  columnsOf(fields, 'phone')
    .flatMap((at) => unescapeFormula((values[at] ?? '').trim()).split(' ::: '))
    .filter((number) => number !== '')

/** Lead to send for a row. The service validates it. */
export interface LeadInput {
  phone: string
  call_now?: boolean | string
  fields?: Record<string, string>
  consent?: Record<string, string>
  [field: string]: unknown
}

const yes = /^(true|yes|y|1)$/i
const no = /^(false|no|n|0)$/i

/**
 * Leaves out empty values. Takes missing consent fields from `consent`. A row without any consent of its own takes only a whole
 * consent: if the others have their time from the file, this person has perhaps not agreed.
 */
export function leadOf(
  values: readonly string[],
  fields: readonly (string | undefined)[],
  consent: Consent,
): LeadInput {
  const plain: [string, unknown][] = []
  const inner: Record<'fields' | 'consent', [string, string][]> = { fields: [], consent: [] }
  for (const field of new Set(fields.map((one) => one && plainField(one)))) {
    if (field === undefined) continue
    const given = columnsOf(fields, field).map((at) => unescapeFormula((values[at] ?? '').trim()))
    const value = given.length === 1 && field !== 'phone' ? (given[0] ?? '') : combineValues(field, given)
    if (value === '') continue
    const [, group, name = ''] = /^(fields|consent)\.([^]+)$/.exec(field) ?? []
    if (group === 'fields' || group === 'consent') inner[group].push([name, value])
    else plain.push([field, field === 'call_now' ? readFlag(value) : value])
  }
  if (inner.consent.length > 0 || !hasConsentColumn(fields) || missingParts(consent).length === 0)
    inner.consent.unshift(...Object.entries(consent))
  const groups = Object.entries(inner).filter(([, parts]) => parts.length > 0)
  return {
    phone: '',
    ...Object.fromEntries(plain),
    ...Object.fromEntries(groups.map(([group, parts]) => [group, Object.fromEntries(parts)])),
  }
}

const readFlag = (text: string): boolean | string => (yes.test(text) ? true : no.test(text) ? false : text)

export interface LeadTargetParts {
  client: Client<Contract>
  campaign: string
  /** The field of each column. */
  fields: readonly (string | undefined)[]
  /** Consent for rows without their own. */
  consent: Consent
  dryRun: boolean
  /** New leads per minute, if the user gave a rate. */
  rate: number | undefined
}

export function leadTarget({
  client,
  campaign,
  fields,
  consent,
  dryRun,
  rate,
}: LeadTargetParts): ImportTarget<LeadInput> {
  const phone = Math.min(...columnsOf(fields, 'phone'))
  const body = (leads: readonly LeadInput[]) => ({ campaign_id: campaign, dry_run: dryRun || undefined, leads })
  const missing = new Set<ConsentPart['name']>()
  const noteGaps = (given: LeadInput['consent']) => {
    for (const { name } of missingParts(given)) missing.add(name)
    return refuseConsent(given)
  }
  let needsConsent = false
  return {
    remarks: () => [...describeMissing(partsNamed(missing)), ...(needsConsent ? [describeRequired()] : [])],
    identity: [campaign, fields, consent],
    isDryRun: dryRun,
    isRepeatable: true,
    rate,
    columns: resultColumns.leadImport,
    unit: 'rows',
    what: 'leads',
    list: 'leads',
    most: leadsPerBatch,
    isLimited: !dryRun,
    problem: (row) => missingValue(row, phone, fields.length),
    make: ({ values }) => leadOf(values, fields, consent),
    // Without such a column, the flags are wrong for every row, and the service says so once.
    refuse: ({ consent: given }) => (hasConsentColumn(fields) ? noteGaps(given) : undefined),
    body,
    send: async (leads, options) => {
      // A value that is not a boolean is sent unchanged, and the service refuses it.
      const reply = await client.call('createLeads', { body: body(leads) as unknown as LeadBatch }, options)
      const answered = outcomesOf(reply.body.data.results, leads)
      needsConsent ||= answered.outcomes.some((one) => one.kind === 'refused' && one.code === 'consent_required')
      return { ...answered, headers: reply.headers }
    },
    isEveryRows: (param) => isOfFlags(param, fields, consent),
  }
}

export const hasConsentColumn = (fields: LeadTargetParts['fields']): boolean =>
  fields.some((field) => field?.startsWith('consent.'))

/** True for a consent that comes from flags, completely or in the wrong part. */
function isOfFlags(param: string, fields: LeadTargetParts['fields'], consent: Consent): boolean {
  const [group, part = ''] = param.split('.')
  if (group !== 'consent') return false
  if (!hasConsentColumn(fields)) return true
  return Object.hasOwn(consent, part) && !fields.includes(param)
}

type Result = LeadBatchResult['results'][number]

function outcomeOf(result: Result, lead: LeadInput | undefined): Outcome {
  if (result.ok) return { kind: result.lead.requeued ? 'requeued' : 'added' }
  const { code, message } = result.error
  return { kind: 'refused', code, message: code === 'invalid_phone' ? withReason(message, lead?.phone ?? '') : message }
}

/** Error codes that are not about the lead, with the HTTP status that each has for a single lead. */
const statuses: Readonly<Record<string, number>> = {
  not_found: 404,
  campaign_closed: 409,
  queue_full: 429,
  test_flows_busy: 429,
}

/** The results up to the first lead that was not accepted for a reason not about the leads. */
function outcomesOf(results: readonly Result[], leads: readonly LeadInput[]): Pick<Delivered, 'outcomes' | 'stopped'> {
  const first = results.findIndex((result) => !result.ok && result.error.code in statuses)
  const refused = results[first]
  if (refused === undefined || refused.ok || results.slice(first).some(({ ok }) => ok))
    return { outcomes: results.map((result, at) => outcomeOf(result, leads[at])), stopped: undefined }
  const { code, message, param } = refused.error
  const stopped = new ApiError(statuses[code] ?? 409, { type: 'invalid_request_error', code, message, param })
  return { outcomes: results.slice(0, first).map((result, at) => outcomeOf(result, leads[at])), stopped }
}

/** The person of a lead, in one line. */
export const describePerson = ({ name, phone }: LeadInput): string => [name, phone].filter(Boolean).join(', ')
