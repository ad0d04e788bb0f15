/** A body for every endpoint that takes one, with everything in it that can be. */
const id = '3b241101-e2bb-4255-8caf-4136c566a962'
const moment = '2026-10-01T09:30:00-04:00'
const consent = {
  source: 'web_form',
  agreed_at: moment,
  text: 'Yes.',
  url: 'https://example.test/form',
  ip: '192.0.2.1',
}
const lead = {
  external_id: 'crm-1',
  phone: '(212) 555-7812',
  name: 'Ann',
  email: 'ann@example.test',
  address: '1 Main St',
  fields: { color: 'red' },
  consent,
  call_now: true,
}
const hours = { mon: [['09:00', '17:00']] }
const settings = {
  name: 'Autumn',
  status: 'running',
  lines: 3,
  calling_hours: hours,
  any_hour: false,
  consent_required: true,
  call_now_default: false,
  late_after_minutes: 15,
  duplicate_window_days: 30,
  max_attempts: 6,
  retire_after_failures: 3,
  spend_cap_usd: null,
}
const organization = {
  name: 'Acme',
  time_zone: 'America/Chicago',
  requests_per_minute: 240,
  rate_usd_per_minute: 0.2,
  recording: true,
}
const keyLimits = { concurrent_requests: 5, requests_per_minute: 60, burst: 5, leads_per_minute: 30 }
const key = { permissions: ['leads:read'], campaign_ids: [id], limits: keyLimits, expires_at: moment }
const scripted = {
  answer: 'person',
  ring_seconds: 5,
  talk_seconds: 60,
  outcome: 'callback',
  callback_at: moment,
  handover: { role: 'sdr', accept_after_seconds: 10 },
  interested_after_seconds: 20,
  dnc_by: 'ai',
  lines: [{ speaker: 'ai', text: 'Hello.' }],
}
const whose = { mode: 'test', organization_id: id }

export const apiBodies = {
  startCall: { lead_id: id, external_id: 'crm-1', campaign_id: id },
  addDnc: { phone: '+12125557812' },
  addDncBatch: { phones: ['+12125557812'] },
  createLead: { campaign_id: id, ...lead, dry_run: true },
  createLeads: { campaign_id: id, dry_run: false, leads: [{ campaign_id: id, ...lead }] },
  updateLead: {
    name: null,
    email: '',
    address: 'x',
    fields: { color: '' },
    consent,
    external_id: 'crm-2',
    call_now: false,
    phone: 5,
  },
  optOutLead: { reason: 'asked' },
  createExport: { exportType: 'leads', filters: { campaignId: id, startDate: '2026-09-01', endDate: '2026-09-30' } },
  createWebhookEndpoint: { url: 'https://example.test/hook', events: ['lead.created'], campaign_ids: [id] },
  updateWebhookEndpoint: {
    url: 'https://example.test/hook',
    events: ['lead.late'],
    campaign_ids: null,
    status: 'paused',
  },
  testWebhookEndpoint: { type: 'call.completed' },
  rollSecret: { grace_hours: 0 },
  resumeWebhookEndpoint: { resend_skipped: true },
  createCampaignLead: { ...lead, dry_run: true },
  createCampaignLeads: { dry_run: false, leads: [lead] },
}

export const controlBodies = {
  updateClock: { speed: 60, paused: true },
  advanceClock: { until: { event: 'call.*', lead_id: id, status: 'done', outcome: 'interested' }, within: '7d' },
  createOrganization: organization,
  updateOrganization: organization,
  createKey: { organization_id: id, name: 'CI', mode: 'test', ...key },
  updateKey: { status: 'revoked', ...key },
  createCampaign: { organization_id: id, ...settings },
  updateCampaign: settings,
  loadLeads: { campaign_id: id, ...whose, leads: [{ ...lead, lead_source: 'list' }] },
  updateLeadInApp: { next_dial_at: moment },
  receiveText: { from: '+12125557812', body: 'STOP', ...whose },
  receiveCall: { from: '+12125557812', campaign_id: id, mode: 'live', outcome: 'interested' },
  addDncInApp: { phones: ['+12125557812'], source: 'manual', ...whose },
  correctCall: { outcome: 'dnc', note: null, outcome_label: 'Never' },
  setScript: { phone: '+12125557812', calls: [scripted], ...whose },
  addFault: {
    method: 'POST',
    path: '/leads*',
    count: 2,
    latency_ms: 10,
    status: 503,
    code: 'service_unavailable',
    drop: true,
    after_commit: true,
  },
  createSnapshot: { name: 'before' },
  reset: { seed: 7, now: moment },
  createWorld: {
    name: 'checkout',
    from: 'start',
    seed: 7,
    now: moment,
    paused: false,
    speed: 60,
    endpoints: 'keep',
    idle_ttl_seconds: 60,
  },
}
