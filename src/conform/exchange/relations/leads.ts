/** Checks replies about leads: what follows from the request, and which fields go with a status (rules S1, A5, A6). */
import type { ReplyOf } from '../../../contract/base/endpoint.js'
import type { Contract } from '../../../contract/index.js'
import type { Lead } from '../../../contract/leads.js'
import { newLeadErrors, type LeadAccepted } from '../../../contract/new-leads.js'
import { checkMasked } from '../error-reply.js'
import type { Note } from '../exchange.js'
import type { Answered, Relations } from './answered.js'

type Waiting = Pick<LeadAccepted, 'status' | 'scheduled_reason' | 'held_reason' | 'place_in_line' | 'scheduled_for'>

/** The fields that say why a lead waits go with its status. */
function checkWaiting(at: string, lead: Waiting | Lead, note: Note): void {
  const { status, scheduled_reason, held_reason, place_in_line } = lead
  if (status === 'scheduled' && scheduled_reason === null)
    note(`${at}.scheduled_reason`, 'null on a scheduled lead', 'D2')
  if (status !== 'scheduled' && scheduled_reason !== null)
    note(`${at}.scheduled_reason`, `given on a lead that is ${status}`, 'S1')
  if (status === 'held' && held_reason === null) note(`${at}.held_reason`, 'null on a held lead', 'D12')
  if (status !== 'held' && held_reason !== null) note(`${at}.held_reason`, `given on a lead that is ${status}`, 'D12')
  if (place_in_line !== null && status !== 'queued' && status !== 'dialing') {
    note(`${at}.place_in_line`, `given on a lead that is ${status}`, 'S1')
  }
  if (place_in_line === 0 && status === 'queued') note(`${at}.place_in_line`, '0 on a queued lead', 'S1')
}

/** Also for leads inside events. */
export function checkLead(at: string, lead: Omit<Lead, 'livemode'>, note: Note): void {
  checkWaiting(at, lead as Lead, note)
  if (lead.status === 'callback_scheduled' && lead.callback_at === null) {
    note(`${at}.callback_at`, 'null on a lead with a booked callback', 'S3')
  }
  const times = lead.calls.map((call) => Date.parse(call.started))
  if (times.some((time, index) => index > 0 && time > (times[index - 1] ?? time))) {
    note(`${at}.calls`, 'not newest first', 'S8')
  }
}

/** An id in a reply is the one of the path. */
export function checkId(id: string, sent: string | undefined, note: Note): void {
  if (sent !== undefined && id !== sent.toLowerCase()) note('body data.id', 'not the id that was asked for', 'C5')
}

function checkAccepted(
  at: string,
  lead: LeadAccepted,
  sent: Readonly<Record<string, unknown>> | null,
  note: Note,
): void {
  checkWaiting(at, lead, note)
  if (lead.dry_run !== (lead.id === null)) {
    note(`${at}.id`, lead.dry_run ? 'given although nothing was saved' : 'null on a lead that was saved', 'A5')
  }
  // A requeued lead keeps the external_id that it had.
  const isKept = lead.requeued && !sent?.['external_id']
  if (sent && !isKept && lead.external_id !== (sent['external_id'] || null))
    note(`${at}.external_id`, 'not the one that was sent', 'C3')
  if (sent?.['call_now'] !== undefined && lead.call_now !== sent['call_now']) {
    note(`${at}.call_now`, 'not the value that was sent', 'D8')
  }
}

type Accepted = Answered<ReplyOf<Contract['createLead']>>

function checkCreated({ status, body, reply: { data } }: Accepted, note: Note): void {
  checkAccepted('body data', data, body, note)
  const isNew = !data.dry_run && data.requeued === undefined
  if (isNew !== (status === 201)) {
    note(
      'status',
      isNew ? `${status} for a new lead, not 201` : `${status} although no lead was created`,
      data.dry_run ? 'A5' : 'D9',
    )
  }
  if (body && data.dry_run !== (body['dry_run'] ?? false))
    note('body data.dry_run', 'not the value that was sent', 'A5')
}

type Batch = Answered<ReplyOf<Contract['createLeads']>>

function checkBatch({ body, reply: { data } }: Batch, note: Note): void {
  const { results, succeeded, failed, dry_run } = data
  const leads = body?.['leads'] as Readonly<Record<string, unknown>>[] | undefined
  if (leads && results.length !== leads.length) {
    note('body data.results', `${results.length} results for ${leads.length} leads`, 'A6')
  }
  if (results.some(({ index }, place) => index !== place)) note('body data.results', 'not in the order sent', 'A6')
  const accepted = results.filter(({ ok }) => ok).length
  if (succeeded !== accepted) note('body data.succeeded', `${succeeded}, but ${accepted} results are ok`, 'A6')
  if (failed !== results.length - accepted) note('body data.failed', 'not the number of results that failed', 'A6')
  if (body && dry_run !== (body['dry_run'] ?? false)) note('body data.dry_run', 'not the value that was sent', 'A5')
  results.forEach((result, index) => {
    const at = `body data.results[${index}]`
    if (result.ok) return checkAccepted(`${at}.lead`, result.lead, leads?.[index] ?? null, note)
    const { code, message, lead_id } = result.error
    if (!(newLeadErrors as readonly string[]).includes(code))
      note(`${at}.error.code`, `${code} is not an error of a new lead`, 'A6')
    if (lead_id !== undefined && code !== 'duplicate_lead')
      note(`${at}.error.lead_id`, 'belongs to duplicate_lead only', 'F1')
    checkMasked(`${at}.error.message`, message, note)
  })
}

export const leadRelations: Relations = {
  createLead: checkCreated,
  createCampaignLead: checkCreated,
  createLeads: checkBatch,
  createCampaignLeads: checkBatch,
  getLead: ({ params, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    checkLead('body data', data, note)
  },
  updateLead: ({ params, body, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    checkLead('body data', data, note)
    if (body) checkChanged(data, body, note)
  },
  optOutLead: ({ params, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    if (data.status !== 'out_of_queue') note('body data.status', `${data.status} after an opt-out`, 'D6')
    if (data.last_outcome !== 'dnc') note('body data.last_outcome', 'not dnc after an opt-out', 'D6')
  },
}

/** The fields that were sent have their new values; an empty text clears one (rule A7). */
function checkChanged(lead: Lead, sent: Readonly<Record<string, unknown>>, note: Note): void {
  for (const field of ['name', 'email', 'address'] as const) {
    if (sent[field] !== undefined && lead[field] !== (sent[field] || null)) {
      note(`body data.${field}`, 'not the value that was sent', 'A7')
    }
  }
  for (const [name, value] of Object.entries((sent['fields'] ?? {}) as Record<string, string>)) {
    const stored = Object.hasOwn(lead.fields, name) ? lead.fields[name] : undefined
    if (stored !== (value === '' ? undefined : value))
      note('body data.fields', 'a field that was sent is not merged', 'A7')
  }
  if (sent['call_now'] === false && lead.call_now) note('body data.call_now', 'true although false was sent', 'A7')
}
