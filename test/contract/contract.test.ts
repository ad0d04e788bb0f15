import { describe, expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { readPermission } from '../../src/contract/events.js'
import { eventTypes } from '../../src/contract/enums.js'
import { contract } from '../../src/contract/index.js'

const line = ({ method, path, permissions, everyCampaign }: Endpoint) =>
  [`${method} ${path}`, ...permissions, ...(everyCampaign ? ['every campaign'] : [])].join(', ')
const lines = (endpoints: Readonly<Record<string, Endpoint>>) =>
  Object.fromEntries(Object.entries(endpoints).map(([name, endpoint]) => [name, line(endpoint)]))

/** Every endpoint, written by hand as a check on the contract. */
const api = {
  listCalls: 'GET /calls, calls:read',
  getCall: 'GET /calls/{id}, calls:read',
  getRecording: 'GET /calls/{id}/recording, calls:read',
  getTranscript: 'GET /calls/{id}/transcript, calls:read',
  startCall: 'POST /calls, calls:write',
  checkDnc: 'GET /dnc/check, dnc:read',
  addDnc: 'POST /dnc, dnc:write',
  addDncBatch: 'POST /dnc/batch, dnc:write',
  listDnc: 'GET /dnc, dnc:read',
  removeDnc: 'DELETE /dnc/{id}, dnc:write',
  createLead: 'POST /leads, leads:write',
  createLeads: 'POST /leads/batch, leads:write',
  getLead: 'GET /leads/{id}, leads:read',
  listLeads: 'GET /leads, leads:read',
  updateLead: 'PATCH /leads/{id}, leads:write',
  optOutLead: 'POST /leads/{id}/opt_out, leads:write',
  listExports: 'GET /exports, leads:read, calls:read, every campaign',
  createExport: 'POST /exports, leads:read, calls:read, every campaign',
  getUsage: 'GET /usage, usage:read',
  createWebhookEndpoint: 'POST /webhook_endpoints, webhooks:write',
  listWebhookEndpoints: 'GET /webhook_endpoints, webhooks:read',
  getWebhookEndpoint: 'GET /webhook_endpoints/{id}, webhooks:read',
  updateWebhookEndpoint: 'PATCH /webhook_endpoints/{id}, webhooks:write',
  deleteWebhookEndpoint: 'DELETE /webhook_endpoints/{id}, webhooks:write',
  testWebhookEndpoint: 'POST /webhook_endpoints/{id}/test, webhooks:write',
  listDeliveries: 'GET /webhook_endpoints/{id}/deliveries, webhooks:read',
  resendDelivery: 'POST /webhook_endpoints/{id}/deliveries/{delivery_id}/resend, webhooks:write',
  rollSecret: 'POST /webhook_endpoints/{id}/roll_secret, webhooks:write',
  resumeWebhookEndpoint: 'POST /webhook_endpoints/{id}/resume, webhooks:write',
  listEvents: 'GET /events, webhooks:read',
  listCampaigns: 'GET /campaigns, campaigns:read',
  getCampaign: 'GET /campaigns/{id}, campaigns:read',
  startCampaign: 'POST /campaigns/{id}/start, campaigns:write',
  pauseCampaign: 'POST /campaigns/{id}/pause, campaigns:write',
  createCampaignLead: 'POST /campaigns/{campaignId}/leads, leads:write',
  createCampaignLeads: 'POST /campaigns/{campaignId}/leads/batch, leads:write',
}

const plane = {
  getHealth: 'GET /_sim/health',
  getClock: 'GET /_sim/clock',
  updateClock: 'PATCH /_sim/clock',
  advanceClock: 'POST /_sim/clock/advance',
  stopAdvance: 'DELETE /_sim/clock/advance',
  getWorld: 'GET /_sim/world',
  createOrganization: 'POST /_sim/organizations',
  updateOrganization: 'PATCH /_sim/organizations/{id}',
  createKey: 'POST /_sim/keys',
  updateKey: 'PATCH /_sim/keys/{key_id}',
  createCampaign: 'POST /_sim/campaigns',
  updateCampaign: 'PATCH /_sim/campaigns/{id}',
  loadLeads: 'POST /_sim/leads',
  takeOutLead: 'POST /_sim/leads/{id}/take_out',
  putBackLead: 'POST /_sim/leads/{id}/put_back',
  updateLeadInApp: 'PATCH /_sim/leads/{id}',
  explainLead: 'GET /_sim/leads/{id}/explain',
  receiveText: 'POST /_sim/texts',
  receiveCall: 'POST /_sim/inbound_calls',
  addDncInApp: 'POST /_sim/dnc',
  correctCall: 'PATCH /_sim/calls/{id}',
  setScript: 'POST /_sim/scripts',
  removeScript: 'DELETE /_sim/scripts',
  addFault: 'POST /_sim/faults',
  listFaults: 'GET /_sim/faults',
  removeFault: 'DELETE /_sim/faults/{id}',
  removeFaults: 'DELETE /_sim/faults',
  listRequests: 'GET /_sim/requests',
  listNotifications: 'GET /_sim/notifications',
  listAllDeliveries: 'GET /_sim/deliveries',
  getDelivery: 'GET /_sim/deliveries/{id}',
  getMetrics: 'GET /_sim/metrics',
  stream: 'GET /_sim/stream',
  createSnapshot: 'POST /_sim/snapshots',
  listSnapshots: 'GET /_sim/snapshots',
  restoreSnapshot: 'POST /_sim/snapshots/{name}/restore',
  deleteSnapshot: 'DELETE /_sim/snapshots/{name}',
  reset: 'POST /_sim/reset',
  createWorld: 'POST /_sim/worlds',
  listWorlds: 'GET /_sim/worlds',
  deleteWorld: 'DELETE /_sim/worlds/{id}',
  diffWorlds: 'GET /_sim/worlds/{a}/diff/{b}',
  getAgenda: 'GET /_sim/agenda',
  pulse: 'GET /_sim/pulse',
  getSchedule: 'GET /_sim/schedule',
  getFigures: 'GET /_sim/figures',
  listLeadsInApp: 'GET /_sim/leads',
  getLeadStory: 'GET /_sim/leads/{id}/story',
  optOutLead: 'POST /_sim/leads/{id}/opt_out',
  getTranscript: 'GET /_sim/calls/{id}/transcript',
  getRecording: 'GET /_sim/calls/{id}/recording',
  listDnc: 'GET /_sim/dnc',
  removeDnc: 'DELETE /_sim/dnc/{id}',
  createWebhookEndpoint: 'POST /_sim/webhook_endpoints',
  listWebhookEndpoints: 'GET /_sim/webhook_endpoints',
  updateWebhookEndpoint: 'PATCH /_sim/webhook_endpoints/{id}',
  deleteWebhookEndpoint: 'DELETE /_sim/webhook_endpoints/{id}',
  resumeWebhookEndpoint: 'POST /_sim/webhook_endpoints/{id}/resume',
  testWebhookEndpoint: 'POST /_sim/webhook_endpoints/{id}/test',
  listDeliveries: 'GET /_sim/webhook_endpoints/{id}/deliveries',
  resendDelivery: 'POST /_sim/webhook_endpoints/{id}/deliveries/{delivery_id}/resend',
}

describe.each([
  ['the API', contract, api],
  ['the control plane', control, plane],
])('the contract of %s', (_name, endpoints: Readonly<Record<string, Endpoint>>, rows) => {
  it('has exactly these endpoints, in this order, under these permissions', () => {
    expect(lines(endpoints)).toEqual(rows)
    expect(Object.keys(endpoints)).toEqual(Object.keys(rows))
  })

  it('gives every endpoint an id and a method and path of its own', () => {
    const all = Object.values(endpoints)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length)
  })

  it('describes every parameter of a path, and takes whatever it is given there', () => {
    for (const { path, params } of Object.values(endpoints)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const anything = Object.fromEntries(names.map((name) => [name, 'not-a-uuid']))
      expect(params.parse({ ...anything, other: 'dropped' })).toEqual(anything)
    }
  })

  it('ignores query parameters nobody knows', () => {
    for (const { query } of Object.values(endpoints)) {
      expect(query.parse({ surprise: 'x' })).not.toHaveProperty('surprise')
    }
  })
})

describe('the events', () => {
  it('are these, in this order, and each asks for the permission to read what it carries', () => {
    expect(eventTypes.map((type) => [type, readPermission(type)])).toEqual([
      ['lead.created', 'leads:read'],
      ['lead.queued', 'leads:read'],
      ['lead.interested', 'calls:read'],
      ['lead.opted_out', 'leads:read'],
      ['lead.late', 'leads:read'],
      ['call.started', 'calls:read'],
      ['call.answered', 'calls:read'],
      ['call.completed', 'calls:read'],
      ['handover.accepted', 'calls:read'],
      ['voicemail.left', 'calls:read'],
      ['callback.booked', 'leads:read'],
    ])
  })
})
