/** Collects the handlers of every API endpoint. */
import type { AddressPolicy } from '../../webhooks/endpoints.js'
import type { SignedLinks } from '../signed-links.js'
import type { Handlers } from '../handler.js'
import { callHandlers } from './calls.js'
import { campaignHandlers } from './campaigns.js'
import { deliveryHandlers } from './deliveries.js'
import { dncHandlers } from './dnc.js'
import { eventHandlers } from './events.js'
import { exportHandlers } from './exports.js'
import { leadHandlers } from './leads.js'
import { recordingHandlers } from './recordings.js'
import { startCallHandlers } from './start-call.js'
import { usageHandlers } from './usage.js'
import { webhookEndpointHandlers } from './webhook-endpoints.js'

export const handlersFor = (reach: AddressPolicy, links: SignedLinks): Handlers => ({
  ...callHandlers,
  ...recordingHandlers(links),
  ...startCallHandlers,
  ...dncHandlers,
  ...leadHandlers,
  ...exportHandlers(links),
  ...usageHandlers,
  ...webhookEndpointHandlers(reach),
  ...deliveryHandlers,
  ...eventHandlers,
  ...campaignHandlers,
})
