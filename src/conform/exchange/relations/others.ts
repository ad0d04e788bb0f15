/** Checks replies about webhooks, events, campaigns, the Do Not Call list, exports and usage. */
import type { Event } from '../../../contract/events.js'
import type { Note } from '../exchange.js'
import type { Relations } from './answered.js'
import { checkCall } from './calls.js'
import { checkId, checkLead } from './leads.js'

export function checkEvent(at: string, { data }: Event, note: Note): void {
  if ('handled_by' in data.object) checkCall(`${at}.data.object`, data.object, note)
  else checkLead(`${at}.data.object`, data.object, note)
}

interface Endpoint {
  status: string
  paused_at: string | null
  url: string
  events: readonly string[]
}

/** An endpoint, its secret where it must not be, and what the request set. */
function checkEndpoint(endpoint: Endpoint, sent: Readonly<Record<string, unknown>> | null, note: Note): void {
  if ((endpoint.status === 'paused') !== (endpoint.paused_at !== null)) {
    note(
      'body data.paused_at',
      `${endpoint.paused_at === null ? 'null' : 'given'} on an endpoint that is ${endpoint.status}`,
      'W9',
    )
  }
  if (sent?.['status'] !== undefined && sent['status'] !== endpoint.status)
    note('body data.status', 'not the value that was sent', 'W9')
  const events = new Set((sent?.['events'] ?? endpoint.events) as readonly string[])
  if (events.size !== endpoint.events.length || endpoint.events.some((type) => !events.has(type))) {
    note('body data.events', 'not the types that were sent', 'E3')
  }
}

/** Only the replies that create an endpoint or roll its secret show the secret (rule W13). */
function checkNoSecret(at: string, endpoint: object, note: Note): void {
  if ('secret' in endpoint)
    note(`${at}.secret`, 'shown by a reply that neither creates the endpoint nor rolls its secret', 'W13')
}

export const otherRelations: Relations = {
  createWebhookEndpoint: ({ body, reply: { data } }, note) => checkEndpoint(data, body, note),
  getWebhookEndpoint: ({ params, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    checkNoSecret('body data', data, note)
    checkEndpoint(data, null, note)
  },
  updateWebhookEndpoint: ({ params, body, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    checkNoSecret('body data', data, note)
    checkEndpoint(data, body, note)
  },
  deleteWebhookEndpoint: ({ params, reply: { data } }, note) => checkId(data.id, params['id'], note),
  rollSecret: ({ params, body, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    const expires = data.previous_secret_expires_at
    if (body && body['grace_hours'] !== 0 && expires === null) {
      note('body data.previous_secret_expires_at', 'null although the old secret signs on', 'W4')
    }
  },
  resumeWebhookEndpoint: ({ params, body, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    checkNoSecret('body data', data, note)
    if (data.status !== 'active') note('body data.status', `${data.status} after resuming`, 'W9')
    if (data.resent > 0 && body && body['resend_skipped'] !== true)
      note('body data.resent', 'more than was asked for', 'W9')
  },
  testWebhookEndpoint: ({ params, body, reply: { data } }, note) => {
    const { endpoint_id, event, event_id, event_type } = data
    if (endpoint_id !== params['id']?.toLowerCase())
      note('body data.endpoint_id', 'not the endpoint of the request', 'W11')
    if (event.sample !== true) note('body data.event.sample', 'missing on a sample', 'W11')
    if (event.id !== event_id) note('body data.event.id', 'not the event of the delivery', 'W11')
    if (body && (event_type !== body['type'] || event.type !== body['type']))
      note('body data.event_type', 'not the type that was sent', 'W11')
  },
  resendDelivery: ({ params, reply: { data } }, note) => {
    const resent = params['delivery_id']
    if (data.id === resent) note('body data.id', 'a resend is a new delivery', 'W10')
    if (data.resent_from?.toLowerCase() !== resent?.toLowerCase())
      note('body data.resent_from', 'not the delivery that was resent', 'W10')
  },
  startCampaign: ({ params, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    if (data.status !== 'running') note('body data.status', `${data.status} after starting`, 'D12')
  },
  pauseCampaign: ({ params, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    if (data.status !== 'paused') note('body data.status', `${data.status} after pausing`, 'D12')
  },
  getCampaign: ({ params, reply: { data } }, note) => checkId(data.id, params['id'], note),
  checkDnc: ({ reply: { data } }, note) => {
    if (data.normalizedPhone !== null && !/^\+\d{7,15}$/.test(data.normalizedPhone))
      note('body data.normalizedPhone', 'not E.164', 'N2')
  },
  addDnc: ({ reply: { data } }, note) => {
    if (data.source !== 'api') note('body data.source', `${data.source} for a number added through the API`, 'D6')
  },
  addDncBatch: ({ body, reply: { data } }, note) => {
    const sent = (body?.['phones'] as readonly string[] | undefined)?.length
    if (sent !== undefined && data.succeeded + data.failed !== sent)
      note('body data', `${sent} numbers were sent, another number is counted`, 'N1')
    if (data.errors.length !== data.failed) note('body data.errors', 'not one for each number that failed', 'N1')
  },
  removeDnc: ({ params, reply: { data } }, note) => checkId(data.id, params['id'], note),
  createExport: ({ body, reply: { data } }, note) => {
    if (body && data.export.exportType !== body['exportType'])
      note('body data.export.exportType', 'not the type that was sent', 'X1')
    if (Date.parse(data.export.expiresAt) <= Date.parse(data.export.createdAt))
      note('body data.export.expiresAt', 'not after createdAt', 'X1')
  },
  getUsage: ({ query, reply: { data } }, note) => {
    if (query && query['period'] !== 'current' && data.period !== query['period'])
      note('body data.period', 'not the period that was asked for', 'X4')
    if (query && data.group_by !== (query['group_by'] ?? null))
      note('body data.group_by', 'not the grouping that was asked for', 'X4')
    if (data.group_by === null && data.groups.length > 0) note('body data.groups', 'given without group_by', 'X4')
    const key = { key: 'key_id', campaign: 'campaign_id', day: 'day' }[data.group_by ?? 'day']
    if (data.groups.some((group) => !(key in group))) note('body data.groups', `without ${key}`, 'X4')
    if (!data.livemode && data.totals.cost_usd !== 0) note('body data.totals.cost_usd', 'test calls cost nothing', 'X3')
  },
}
