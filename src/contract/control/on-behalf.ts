/**
 * Endpoints of the API on the control plane, for an organization and a mode instead of a key. A page that uses the
 * control plane needs no API key.
 */
import * as z from 'zod'
import { getRecording, getTranscript } from '../calls.js'
import { listDeliveries, resendDelivery, testWebhookEndpoint } from '../deliveries.js'
import { listDnc, removeDnc } from '../dnc.js'
import { endpoint, type Endpoint, type Replies } from '../base/endpoint.js'
import { optOutLead } from '../leads.js'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  resumeWebhookEndpoint,
  updateWebhookEndpoint,
} from '../webhook-endpoints.js'
import { tenantScope } from './tenant-scope.js'

/** The same endpoint below `/_sim`, with `mode` and `organization_id` in its query. */
function onBehalf<P extends z.ZodType, Q extends z.core.$ZodShape, B extends z.ZodType, R extends Replies>(
  own: Endpoint<P, z.ZodObject<Q>, B, R>,
) {
  return endpoint({
    ...own,
    path: `/_sim${own.path}`,
    permissions: [],
    query: z.object({ ...own.query.shape, ...tenantScope }),
    refusals: own.path.includes('{') ? own.refusals : [...new Set([...own.refusals, 'not_found' as const])],
  })
}

export const onBehalfEndpoints = {
  optOutLead: onBehalf(optOutLead),
  getTranscript: onBehalf(getTranscript),
  getRecording: onBehalf(getRecording),
  listDnc: onBehalf(listDnc),
  removeDnc: onBehalf(removeDnc),
  createWebhookEndpoint: onBehalf(createWebhookEndpoint),
  listWebhookEndpoints: onBehalf(listWebhookEndpoints),
  updateWebhookEndpoint: onBehalf(updateWebhookEndpoint),
  deleteWebhookEndpoint: onBehalf(deleteWebhookEndpoint),
  resumeWebhookEndpoint: onBehalf(resumeWebhookEndpoint),
  testWebhookEndpoint: onBehalf(testWebhookEndpoint),
  listDeliveries: onBehalf(listDeliveries),
  resendDelivery: onBehalf(resendDelivery),
}

export type OnBehalfName = keyof typeof onBehalfEndpoints
