/** How far a webhook delivery has come, by name: the contract says the same, but brings its schemas along. */
import type { DeliveryStatus } from '../contract/deliveries.js'

export const deliveryStatuses = [
  'pending',
  'sent',
  'failed',
  'gave_up',
  'skipped_paused',
] as const satisfies readonly DeliveryStatus[]
