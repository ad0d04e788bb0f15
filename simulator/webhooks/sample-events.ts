/** Sample events with made-up data (rule W11). Their ids follow from the seed. */
import type { Event, EventType } from '../../src/contract/events.js'
import { sampleEvent as madeUp } from '../../src/contract/sample.js'
import type { Ids } from '../kernel/ids.js'
import type { Instant } from '../kernel/instant.js'

/** The sample of an event type, about the sample lead and call of this seed. */
export function sampleEvent(
  ids: Ids,
  type: EventType,
  { id, campaignId, now }: { id: string; campaignId: string; now: Instant },
): Event {
  return madeUp(type, {
    id,
    leadId: ids.uuid('sample/lead', 1),
    callId: ids.uuid('sample/call', 1),
    campaignId,
    at: now,
  })
}
