/** Adds numbers to the Do Not Call list and takes every lead with such a number out of the queue (rules D5 and D6). */
import { parsePhone } from '../../src/phone/number.js'
import type { DncEntry, DncSource } from '../model/dnc.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'
import { isOnCall, moveLead } from './lead-transitions.js'
import { outcomeLabel } from '../model/outcome.js'
import { emitEvent } from '../webhooks/outbox.js'
import { serializeLeadInEvent } from '../model/serialize/resources.js'

/** The outcome of a lead that asked not to be called again. */
export const markOptedOut: Partial<Lead> = { last_outcome: 'dnc', last_outcome_label: outcomeLabel('dnc') }

/**
 * Adds a number to the list and takes its leads out of the queue (rule D6). An ongoing call continues (rule S5). The
 * lead that asked (`of`) and leads on a call get outcome `dnc`. Returns null if the number is listed already; then
 * nothing changes and no event is sent.
 */
export function addToDnc(
  tenant: Tenant,
  phone: string,
  source: DncSource,
  { of = null, reason = null }: { of?: Lead | null; reason?: string | null } = {},
): DncEntry | null {
  const { world, dnc, leads } = tenant
  if (dnc.has(phone)) return null
  const entry = dnc.add(phone, source, world.now)
  for (const lead of leads.listByPhone(phone)) {
    const outcome = lead.n === of?.n || isOnCall(tenant, lead) ? markOptedOut : {}
    moveLead(tenant, lead, 'out_of_queue', {
      callback_at: null,
      not_before: null,
      not_before_reason: null,
      ...outcome,
    })
    emitEvent(tenant, 'lead.opted_out', lead, serializeLeadInEvent(tenant, lead), {
      opt_out: { source, reason },
    })
  }
  return entry
}

/**
 * The stored form of a number that can be listed: any real number, and reserved test numbers in test mode. Null for
 * others.
 */
export function parseDncNumber(tenant: Tenant, text: string): string | null {
  const number = parsePhone(text)
  if (number.kind === 'invalid' || number.kind === 'made_up') return null
  return number.kind === 'reserved' && tenant.live ? null : number.e164
}

/** Adds many numbers. Each one has a separate result. */
export function addAllToDnc(tenant: Tenant, phones: readonly string[], source: DncSource) {
  const errors = phones.filter((text) => {
    const phone = parseDncNumber(tenant, text)
    return phone === null || addToDnc(tenant, phone, source) === null
  })
  return { succeeded: phones.length - errors.length, failed: errors.length, errors, livemode: tenant.live }
}
