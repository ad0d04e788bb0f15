/** What comes in by telephone: calls, and the texts that opt out. */
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
 * Somebody calls a campaign. The call belongs to its lead with that number, if it has one, and takes no line. From the
 * first ring on the lead is on the call, so that nobody dials it meanwhile, and the number's cooldown begins
 * (specification, Dialing rules, 4). A number that is on the telephone already cannot call.
 */
export function receiveInboundCall(organization: Tenant, campaign: Campaign, phone: string, outcome?: Outcome): Call {
  const { world, leads, calls } = organization
  if (calls.hasOngoingWith(phone)) throw new ApiError('lead_busy')
  const lead = leads.findByPhone(campaign.n, phone)
  const owner = lead && chooseOwner(organization, lead)
  leads.markPhoneShared(phone)
  const call = ringCall(organization, {
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
  if (lead) moveLead(organization, lead, 'on_call', { owner, callback_at: null })
  emitCallEvent(organization, 'call.started', call)
  holdOtherLeads(organization, lead ?? { n: null, phone, zone: zoneKey(phone) })
  world.carrier.startCall(organization, call, outcome)
  return call
}

/** The usual words that end all texts, each alone in its text. */
const stopWords: ReadonlySet<string> = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'])

/** Whether a text opts its sender out, in any case and with anything but letters and digits around it. */
function isStop(body: string): boolean {
  // Words are looked for, not cut out of what is around them: that would take the square of a long text's time.
  const [word, another] = body.matchAll(/[\p{L}\p{N}]+/gu)
  return word !== undefined && another === undefined && stopWords.has(word[0].toUpperCase())
}

/** Somebody sends a text; the answer is whether it opted them out (specification, Dialing rules, 6). */
export function receiveText(organization: Tenant, phone: string, body: string): boolean {
  if (!isStop(body)) return false
  addToDnc(organization, phone, 'sms')
  return true
}
