/**
 * Method and path of every endpoint, by the contract's names. The contract has them too, but its schemas would slow
 * the start of every command. A test keeps both in step.
 */
import type { contract } from '../contract/index.js'
import type { Method } from '../contract/base/endpoint.js'

export interface Route {
  readonly method: Method
  readonly path: string
}

const lines = {
  createLead: 'POST /leads',
  createLeads: 'POST /leads/batch',
  getLead: 'GET /leads/{id}',
  listLeads: 'GET /leads',
  updateLead: 'PATCH /leads/{id}',
  optOutLead: 'POST /leads/{id}/opt_out',
  listCalls: 'GET /calls',
  getCall: 'GET /calls/{id}',
  getRecording: 'GET /calls/{id}/recording',
  getTranscript: 'GET /calls/{id}/transcript',
  startCall: 'POST /calls',
  checkDnc: 'GET /dnc/check',
  addDnc: 'POST /dnc',
  addDncBatch: 'POST /dnc/batch',
  listDnc: 'GET /dnc',
  removeDnc: 'DELETE /dnc/{id}',
  listExports: 'GET /exports',
  createExport: 'POST /exports',
  getUsage: 'GET /usage',
  createWebhookEndpoint: 'POST /webhook_endpoints',
  listWebhookEndpoints: 'GET /webhook_endpoints',
  getWebhookEndpoint: 'GET /webhook_endpoints/{id}',
  updateWebhookEndpoint: 'PATCH /webhook_endpoints/{id}',
  deleteWebhookEndpoint: 'DELETE /webhook_endpoints/{id}',
  testWebhookEndpoint: 'POST /webhook_endpoints/{id}/test',
  listDeliveries: 'GET /webhook_endpoints/{id}/deliveries',
  resendDelivery: 'POST /webhook_endpoints/{id}/deliveries/{delivery_id}/resend',
  rollSecret: 'POST /webhook_endpoints/{id}/roll_secret',
  resumeWebhookEndpoint: 'POST /webhook_endpoints/{id}/resume',
  listEvents: 'GET /events',
  listCampaigns: 'GET /campaigns',
  getCampaign: 'GET /campaigns/{id}',
  startCampaign: 'POST /campaigns/{id}/start',
  pauseCampaign: 'POST /campaigns/{id}/pause',
  createCampaignLead: 'POST /campaigns/{campaignId}/leads',
  createCampaignLeads: 'POST /campaigns/{campaignId}/leads/batch',
} as const satisfies Record<keyof typeof contract, `${Method} /${string}`>

/** Every endpoint's method and path. */
export const routes = Object.fromEntries(
  Object.entries(lines).map(([name, line]) => {
    const [method, path] = line.split(' ')
    return [name, { method, path }]
  }),
) as Record<keyof typeof contract, Route>
