/** The headers a webhook carries, by their names on the wire (specification, Delivery). */

export const webhookHeaders = {
  signature: 'Service-Signature',
  eventId: 'Service-Event-Id',
  eventType: 'Service-Event-Type',
  deliveryId: 'Service-Delivery-Id',
  attempt: 'Service-Delivery-Attempt',
  userAgent: 'User-Agent',
} as const

const webhookUserAgent = 'Service-Webhooks/1.0'

export interface Delivered {
  /** The event's `evt_` id. */
  eventId: string
  eventType: string
  deliveryId: string
  /** 1 the first time, then 2, 3, ... */
  attempt: number
}

/** Every header of one try but the signature, which is made at the moment of sending. */
export function deliveryHeaders({ eventId, eventType, deliveryId, attempt }: Delivered): Record<string, string> {
  return {
    [webhookHeaders.userAgent]: webhookUserAgent,
    'Content-Type': 'application/json',
    [webhookHeaders.eventId]: eventId,
    [webhookHeaders.eventType]: eventType,
    [webhookHeaders.deliveryId]: deliveryId,
    [webhookHeaders.attempt]: String(attempt),
  }
}
