/** Builds requests that name objects of another tenant, for each endpoint of the contract. */
import type { EndpointName } from '../../src/contract/index.js'

/** Objects of one tenant's campaign, by name. */
export interface Names {
  campaign: string
  lead: string
  call: string
  dnc: string
  endpoint: string
  delivery: string
  event: string
  external: string
  phone: string
}

export interface Ask {
  path: string
  body?: object
}

/**
 * Ways to name objects of others to an endpoint. `own` are the requester's objects. Empty if the endpoint takes no
 * names.
 */
type Row = (others: Names, own: Names) => Ask[]

const at = (path: string, body?: object): Ask => ({ path, ...(body && { body }) })
const ofEndpoint =
  (rest: string, body?: object): Row =>
  ({ endpoint }) => [at(`/webhook_endpoints/${endpoint}${rest}`, body)]
const ofCampaign =
  (rest: string, body?: (own: Names) => object): Row =>
  ({ campaign }, own) => [at(`/campaigns/${campaign}${rest}`, body?.(own))]
const ofCall =
  (rest: string): Row =>
  ({ call }) => [at(`/calls/${call}${rest}`)]

/** A number without a lead. */
export const freshPhone = '+16462019999'
export const receiver = 'https://203.0.114.1/'

export const rows: { [N in EndpointName]: Row } = {
  listCalls: ({ lead, external, campaign, call }) =>
    [
      `lead_id=${lead}`,
      `external_id=${external}`,
      `campaign_id=${campaign}`,
      `starting_after=${call}`,
      'limit=101',
    ].map((query) => at(`/calls?${query}`)),
  getCall: ofCall(''),
  getRecording: ofCall('/recording'),
  getTranscript: ofCall('/transcript'),
  startCall: ({ lead, external, campaign }, own) => [
    at('/calls', { lead_id: lead }),
    at('/calls', { external_id: external }),
    at('/calls', { lead_id: own.lead, campaign_id: campaign }),
  ],
  checkDnc: ({ phone }) => [at(`/dnc/check?phone=${encodeURIComponent(phone)}`)],
  addDnc: ({ phone }) => [at('/dnc', { phone })],
  addDncBatch: ({ phone }) => [at('/dnc/batch', { phones: [phone] })],
  listDnc: ({ phone, dnc }) => [at(`/dnc?search=${phone.slice(2)}`), at(`/dnc?cursor=${dnc}`)],
  removeDnc: ({ dnc }) => [at(`/dnc/${dnc}`)],
  createLead: ({ phone, external, campaign }, own) => [
    at('/leads', { dry_run: true, campaign_id: own.campaign, phone, external_id: external }),
    at('/leads', { dry_run: true, campaign_id: campaign, phone: freshPhone }),
  ],
  createLeads: ({ phone, external, campaign }, own) => [
    at('/leads/batch', { dry_run: true, campaign_id: own.campaign, leads: [{ phone, external_id: external }] }),
    at('/leads/batch', { dry_run: true, leads: [{ phone: freshPhone, campaign_id: campaign }] }),
  ],
  getLead: ({ lead }) => [at(`/leads/${lead}`)],
  listLeads: ({ external, campaign, lead }) =>
    [`external_id=${external}`, `campaign_id=${campaign}`, `starting_after=${lead}`].map((query) =>
      at(`/leads?${query}`),
    ),
  updateLead: ({ lead, external }, own) => [
    at(`/leads/${lead}`, { name: 'Taken' }),
    at(`/leads/${own.lead}`, { external_id: external }),
  ],
  optOutLead: ({ lead }) => [at(`/leads/${lead}/opt_out`)],
  listExports: () => [at('/exports')],
  createExport: ({ campaign }) => [at('/exports', { exportType: 'leads', filters: { campaignId: campaign } })],
  getUsage: () => [at('/usage?group_by=campaign'), at('/usage?group_by=key')],
  createWebhookEndpoint: ({ campaign }) => [
    at('/webhook_endpoints', { url: receiver, events: ['lead.late'], campaign_ids: [campaign] }),
  ],
  listWebhookEndpoints: () => [at('/webhook_endpoints')],
  getWebhookEndpoint: ofEndpoint(''),
  updateWebhookEndpoint: ({ endpoint, campaign }, own) => [
    at(`/webhook_endpoints/${endpoint}`, { status: 'paused' }),
    at(`/webhook_endpoints/${own.endpoint}`, { campaign_ids: [campaign] }),
  ],
  deleteWebhookEndpoint: ofEndpoint(''),
  testWebhookEndpoint: ofEndpoint('/test', { type: 'lead.late' }),
  listDeliveries: ({ endpoint, delivery }, own) => [
    at(`/webhook_endpoints/${endpoint}/deliveries`),
    at(`/webhook_endpoints/${own.endpoint}/deliveries?starting_after=${delivery}`),
  ],
  resendDelivery: ({ endpoint, delivery }, own) => [
    at(`/webhook_endpoints/${endpoint}/deliveries/${delivery}/resend`),
    at(`/webhook_endpoints/${own.endpoint}/deliveries/${delivery}/resend`),
  ],
  rollSecret: ofEndpoint('/roll_secret', {}),
  resumeWebhookEndpoint: ofEndpoint('/resume', { resend_skipped: true }),
  listEvents: ({ event }) => [at('/events'), at(`/events?starting_after=${event}`)],
  listCampaigns: ({ campaign }) => [at(`/campaigns?starting_after=${campaign}`)],
  getCampaign: ofCampaign(''),
  startCampaign: ofCampaign('/start'),
  pauseCampaign: ofCampaign('/pause'),
  createCampaignLead: ofCampaign('/leads', () => ({ dry_run: true, phone: freshPhone })),
  createCampaignLeads: ofCampaign('/leads/batch', () => ({ dry_run: true, leads: [{ phone: freshPhone }] })),
}

/** Unknown names of the same form. */
export const nobody: Names = {
  campaign: '3b241101-e2bb-4255-8caf-4136c566a962',
  lead: '4b241101-e2bb-4255-8caf-4136c566a962',
  call: '5b241101-e2bb-4255-8caf-4136c566a962',
  dnc: '6b241101-e2bb-4255-8caf-4136c566a962',
  endpoint: '7b241101-e2bb-4255-8caf-4136c566a962',
  delivery: '8b241101-e2bb-4255-8caf-4136c566a962',
  event: 'evt_00000000000000000000000000000000',
  external: 'of-nobody',
  phone: '+16462010000',
}
