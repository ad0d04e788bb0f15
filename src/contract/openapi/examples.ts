/** An example body for each operation that takes one. Each succeeds on a simulator with the default world. */
import type { Control } from '../control.js'
import type { RequestOf } from '../base/endpoint.js'
import type { Contract } from '../index.js'

type Bodies<C> = { [N in keyof C]?: RequestOf<C[N]> extends { body?: infer B } ? B : never }

/** The campaign of the default world. */
const campaign_id = '826568dd-2612-4886-ba0a-fbdca0d4f424'

const consent = {
  source: 'web_form',
  agreed_at: '2026-09-30T18:04:00Z',
  text: 'I agree to be called about my request.',
  url: 'https://example.com/contact',
}
const ann = {
  external_id: 'crm-1042',
  phone: '+12125557812',
  name: 'Ann Alvarez',
  email: 'ann@example.com',
  fields: { product: 'solar' },
  consent,
}
const bob = { external_id: 'crm-1043', phone: '+12125557813', name: 'Bob Brown', consent }
const cleo = { external_id: 'crm-1044', phone: '+12125557814', name: 'Cleo Chen', consent }

export const apiExamples: Bodies<Contract> = {
  createLead: { campaign_id, ...ann },
  createLeads: { campaign_id, leads: [bob] },
  createCampaignLead: cleo,
  createCampaignLeads: { leads: [{ external_id: 'crm-1045', phone: '+12125557815', consent }] },
  updateLead: { name: 'Ann Alvarez-Lee', fields: { product: '', roof: 'flat' }, call_now: false },
  startCall: { external_id: 'crm-1042', campaign_id },
  optOutLead: { reason: 'Asked by e-mail not to be called again.' },
  addDnc: { phone: '+12125557816' },
  addDncBatch: { phones: ['+12125557817', '+12125557818'] },
  createExport: { exportType: 'leads', filters: { startDate: '2026-09-01', endDate: '2026-09-30' } },
  createWebhookEndpoint: { url: 'https://example.com/webhooks', events: ['lead.interested', 'call.completed'] },
  updateWebhookEndpoint: { events: ['call.completed'] },
  testWebhookEndpoint: { type: 'call.completed' },
  rollSecret: { grace_hours: 48 },
  resumeWebhookEndpoint: { resend_skipped: true },
}

const { optOutLead, createWebhookEndpoint, updateWebhookEndpoint, testWebhookEndpoint, resumeWebhookEndpoint } =
  apiExamples

export const controlExamples: Bodies<Control> = {
  updateClock: { speed: 60 },
  advanceClock: { by: '24h' },
  createOrganization: { name: 'Acme', time_zone: 'America/Chicago' },
  updateOrganization: { requests_per_minute: 240 },
  createKey: { name: 'CI', mode: 'test', limits: { burst: 2 } },
  updateKey: { status: 'revoked' },
  createCampaign: { name: 'Autumn', lines: 3, calling_hours: { mon: [['09:00', '17:00']] } },
  updateCampaign: { status: 'paused' },
  loadLeads: { campaign_id, leads: [{ phone: '+12125557821', name: 'Dan Diaz' }] },
  updateLeadInApp: { next_dial_at: '2030-01-07T15:00:00Z' },
  receiveText: { from: '+12125557822', body: 'STOP' },
  receiveCall: { from: '+12125557823', campaign_id, outcome: 'interested' },
  addDncInApp: { phones: ['+12125557824'], source: 'manual' },
  correctCall: { outcome: 'not_interested', note: 'Wants no offer this year.' },
  setScript: { phone: '+12125557825', calls: [{ answer: 'no_answer' }, { answer: 'person', outcome: 'interested' }] },
  addFault: { method: 'POST', path: '/leads', status: 503 },
  createSnapshot: { name: 'before' },
  createWorld: { name: 'checkout test', seed: 7 },
  createWebhookEndpoint,
  updateWebhookEndpoint,
  testWebhookEndpoint,
  resumeWebhookEndpoint,
  optOutLead,
  reset: { seed: 7 },
}
