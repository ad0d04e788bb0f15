/** The contract: every endpoint of the API. Generated documents keep this order. */
import {
  createCampaignLead,
  createCampaignLeads,
  getCampaign,
  listCampaigns,
  pauseCampaign,
  startCampaign,
} from './campaigns.js'
import { getCall, getRecording, getTranscript, listCalls, startCall } from './calls.js'
import { listDeliveries, resendDelivery, testWebhookEndpoint } from './deliveries.js'
import { addDnc, addDncBatch, checkDnc, listDnc, removeDnc } from './dnc.js'
import { listEvents } from './events.js'
import { createExport, listExports } from './exports.js'
import { getLead, listLeads, optOutLead, updateLead } from './leads.js'
import { createLead, createLeads } from './new-leads.js'
import { getUsage } from './usage.js'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  resumeWebhookEndpoint,
  rollSecret,
  updateWebhookEndpoint,
} from './webhook-endpoints.js'

export { errorsOf } from './errors/endpoint-errors.js'

export const contract = {
  listCalls,
  getCall,
  getRecording,
  getTranscript,
  startCall,

  checkDnc,
  addDnc,
  addDncBatch,
  listDnc,
  removeDnc,

  createLead,
  createLeads,
  getLead,
  listLeads,
  updateLead,
  optOutLead,

  listExports,
  createExport,

  getUsage,

  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  testWebhookEndpoint,
  listDeliveries,
  resendDelivery,
  rollSecret,
  resumeWebhookEndpoint,

  listEvents,

  listCampaigns,
  getCampaign,
  startCampaign,
  pauseCampaign,
  createCampaignLead,
  createCampaignLeads,
}

export type Contract = typeof contract
export type EndpointName = keyof Contract
