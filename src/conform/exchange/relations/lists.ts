/** Checks pages of lists: order, cursor, length and filters (rules P1 to P4). */
import { filterMilliseconds } from '../../../contract/base/date-time.js'
import type { Call } from '../../../contract/calls.js'
import type { Lead } from '../../../contract/leads.js'
import type { Note } from '../exchange.js'
import type { Answered, Relations } from './answered.js'

interface Page<T> {
  data: readonly T[]
  meta?: { next_cursor: string | null; has_more: boolean } | undefined
}

interface ListItem {
  id: string
}

type Query = Answered['query']

/** Checks the parts of a page that do not depend on the kind of its items. */
function checkPage<T extends ListItem>(
  { data, meta }: Page<T>,
  query: Query,
  timeOf: (item: T) => string,
  note: Note,
  cursor = 'starting_after',
): void {
  const limit = query?.['limit']
  if (typeof limit === 'number' && data.length > limit) note('body data', `${data.length} items, limit ${limit}`, 'P3')
  const ids = data.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0) note(`body data[${repeated}].id`, 'the item is in the page twice', 'P2')
  const after = query?.[cursor]
  if (typeof after === 'string' && ids.includes(after)) note(`query ${cursor}`, 'the page repeats this item', 'P2')
  const times = data.map((item) => Date.parse(timeOf(item)))
  const early = times.findIndex((time, index) => index > 0 && time > (times[index - 1] ?? time))
  if (early >= 0) note(`body data[${early}]`, 'newer than the item before it: lists are newest first', 'P1')
  if (meta) checkCursor(meta, ids.at(-1), note)
}

function checkCursor(
  { next_cursor, has_more }: NonNullable<Page<never>['meta']>,
  last: string | undefined,
  note: Note,
) {
  if (has_more && next_cursor === null) note('body meta.next_cursor', 'null although has_more is true', 'C3')
  if (!has_more && next_cursor !== null) note('body meta.next_cursor', 'not null on the last page', 'C3')
  if (has_more && next_cursor !== null && last !== undefined && next_cursor !== last) {
    note('body meta.next_cursor', 'not the id of the last item of the page', 'P1')
  }
}

type Filters<T> = Readonly<Record<string, (item: T, value: string) => boolean>>

/** Notes the first item that a filter of the query should have left out. */
function checkFilters<T>(data: readonly T[], query: Query, filters: Filters<T>, note: Note): void {
  for (const [name, fits] of Object.entries(filters)) {
    const value = query?.[name]
    if (typeof value !== 'string') continue
    const wrong = data.findIndex((item) => !fits(item, value))
    if (wrong >= 0) note(`body data[${wrong}]`, `does not match the filter ${name}`, 'P3')
  }
}

const since = (time: string, from: string): boolean => Date.parse(time) >= filterMilliseconds(from)
const until = (time: string, to: string): boolean => Date.parse(time) <= filterMilliseconds(to)

const callFilters: Filters<Call> = {
  campaign_id: (call, id) => call.campaign_id === id,
  lead_id: (call, id) => call.lead?.id === id,
  external_id: (call, id) => call.lead?.external_id === id,
  outcome: (call, outcome) => call.outcome === outcome,
  status: (call, status) => call.status === status,
  'created[gte]': (call, from) => since(call.started, from),
  'created[lte]': (call, to) => until(call.started, to),
}

const leadFilters: Filters<Lead> = {
  campaign_id: (lead, id) => lead.campaign_id === id,
  status: (lead, status) => lead.status === status,
  'created[gte]': (lead, from) => since(lead.created, from),
}

export const listRelations: Relations = {
  listLeads: ({ reply, query }, note) => {
    if (!('meta' in reply)) return
    checkPage(reply, query, (lead) => lead.created, note)
    checkFilters(reply.data, query, leadFilters, note)
    const placed = reply.data.findIndex((lead) => lead.place_in_line !== null)
    if (placed >= 0) note(`body data[${placed}].place_in_line`, 'a list does not give the place in line', 'C3')
  },
  listCalls: ({ reply, query }, note) => {
    checkPage('meta' in reply ? reply : { data: reply.data }, query, (call) => call.started, note)
    checkFilters(reply.data, query, callFilters, note)
    if ('meta' in reply) return
    if (query && reply.limit !== query['limit']) note('body limit', 'not the limit that was sent', 'P4')
    if (query && reply.offset !== (query['offset'] ?? 0)) note('body offset', 'not the offset that was sent', 'P4')
    if (reply.total < reply.data.length) note('body total', 'fewer than the items of the page', 'P4')
  },
  listDnc: ({ reply, query }, note) => {
    checkPage(reply, query, (entry) => entry.createdAt, note, 'cursor')
    const search = (entry: { phone: string }, text: string) => entry.phone.includes(text.replaceAll(/[\s().-]/g, ''))
    checkFilters(reply.data, query, { search }, note)
  },
  listDeliveries: ({ reply, query, params }, note) => {
    checkPage(reply, query, (delivery) => delivery.created, note)
    checkFilters(reply.data, query, { status: (delivery, status) => delivery.status === status }, note)
    const other = reply.data.findIndex((delivery) => delivery.endpoint_id !== params['id']?.toLowerCase())
    if (other >= 0) note(`body data[${other}].endpoint_id`, 'a delivery of another endpoint', 'E3')
  },
  listEvents: ({ reply, query }, note) => {
    checkPage(reply, query, (event) => event.created, note)
    checkFilters(
      reply.data,
      query,
      {
        type: (event, type) => event.type === type,
        'created[gte]': (event, from) => since(event.created, from),
        'created[lte]': (event, to) => until(event.created, to),
      },
      note,
    )
    const sample = reply.data.findIndex((event) => event.sample !== undefined)
    if (sample >= 0) note(`body data[${sample}].sample`, 'a sample is not listed', 'W11')
  },
  listCampaigns: ({ reply, query }, note) => {
    checkPage(reply, query, (campaign) => campaign.created, note)
    checkFilters(reply.data, query, { status: (campaign, status) => campaign.status === status }, note)
  },
  listWebhookEndpoints: ({ reply }, note) => checkPage(reply, null, (endpoint) => endpoint.created, note),
  listExports: ({ reply }, note) => checkPage({ data: reply.data }, null, (one) => one.createdAt, note),
}
