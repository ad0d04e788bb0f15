/** The headers of a webhook (rule W2). */

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
  /** Counts from 1. */
  attempt: number
}

/** All headers of one attempt except the signature, which is made when the request is sent. */
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
