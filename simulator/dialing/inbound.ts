/** Inbound calls, and text messages that opt out. */
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { zoneKey } from '../../src/phone/zones.js'
import type { Call } from '../model/call.js'
import type { Campaign } from '../model/campaign.js'
import type { Tenant } from '../model/world.js'
import { holdOtherLeads, chooseOwner, ringCall } from './calls.js'
import { emitCallEvent } from '../webhooks/outbox.js'
import { addToDnc } from './dnc.js'
import { moveLead } from './lead-transitions.js'

/**
 * Receives a call to a campaign. It belongs to the campaign's lead with that number, if any, and uses no line. The lead
 * is on the call from the first ring, so it is not dialed meanwhile, and the number's cooldown begins (rule D4). A
 * number with an ongoing call cannot call.
 */
export function receiveInboundCall(tenant: Tenant, campaign: Campaign, phone: string, outcome?: Outcome): Call {
  const { world, leads, calls } = tenant
  if (calls.hasOngoingWith(phone)) throw new ApiError('lead_busy')
  const lead = leads.findByPhone(campaign.n, phone)
  const owner = lead && chooseOwner(tenant, lead)
  leads.markPhoneShared(phone)
  const call = ringCall(tenant, {
    campaign: campaign.n,
    lead: lead?.n ?? null,
    lead_before: lead?.status ?? null,
    phone,
    direction: 'inbound',
    owner,
    started_by: 'person',
    api_key: null,
    key: null,
  })
  if (lead) moveLead(tenant, lead, 'on_call', { owner, callback_at: null })
  emitCallEvent(tenant, 'call.started', call)
  holdOtherLeads(tenant, lead ?? { n: null, phone, zone: zoneKey(phone) })
  world.carrier.startCall(tenant, call, outcome)
  return call
}

/** Words that opt out when a text contains only one of them. */
const stopWords: ReadonlySet<string> = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'])

/** Whether a text opts out its sender. Case and surrounding punctuation do not matter. */
function isStop(body: string): boolean {
  // Matching words takes linear time. Trimming with a regular expression takes quadratic time on a long text.
  const [word, another] = body.matchAll(/[\p{L}\p{N}]+/gu)
  return word !== undefined && another === undefined && stopWords.has(word[0].toUpperCase())
}

/** Receives a text message. Returns whether it opted out the sender (rule D6). */
export function receiveText(tenant: Tenant, phone: string, body: string): boolean {
  if (!isStop(body)) return false
  addToDnc(tenant, phone, 'sms')
  return true
}
