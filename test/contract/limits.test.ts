import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { control } from '../../src/contract/control.js'
import { contract } from '../../src/contract/index.js'
import { DateTimeFilter, filterMilliseconds } from '../../src/contract/base/date-time.js'
import { apiBodies, controlBodies } from './samples.js'

const pathOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.path
const letters = (length: number) => 'x'.repeat(length)
const many = <T>(count: number, item: T) => Array.from({ length: count }, () => item)
const fields = (count: number) => Object.fromEntries(many(count, '').map((_, index) => [`f${index}`, 'x']))
const { createLead, createLeads, updateLead, optOutLead, startCall, addDnc, addDncBatch } = contract
const { createWebhookEndpoint, updateWebhookEndpoint, rollSecret } = contract
const lead = { campaign_id: apiBodies.createLead.campaign_id, phone: '2125557812' }
const consent = { source: 'crm', agreed_at: '2026-10-01T00:00:00Z', text: 'Yes.' }
const hook = { url: 'https://example.test', events: ['lead.late'] }

/** What, the schema, how the value is made from a size, the largest size, where the error points past it. */
const rows: [string, z.ZodType, (size: number) => unknown, number, (string | number)[]][] = [
  ['external_id', createLead.body, (n) => ({ ...lead, external_id: letters(n) }), 200, ['external_id']],
  ['phone', createLead.body, (n) => ({ ...lead, phone: letters(n) }), 32, ['phone']],
  ['name', createLead.body, (n) => ({ ...lead, name: letters(n) }), 200, ['name']],
  ['email', createLead.body, (n) => ({ ...lead, email: letters(n) }), 254, ['email']],
  ['address', createLead.body, (n) => ({ ...lead, address: letters(n) }), 500, ['address']],
  ['custom fields', createLead.body, (n) => ({ ...lead, fields: fields(n) }), 50, ['fields']],
  [
    'consent.source',
    createLead.body,
    (n) => ({ ...lead, consent: { ...consent, source: letters(n) } }),
    100,
    ['consent', 'source'],
  ],
  [
    'consent.text',
    createLead.body,
    (n) => ({ ...lead, consent: { ...consent, text: letters(n) } }),
    5000,
    ['consent', 'text'],
  ],
  ['leads of a batch', createLeads.body, (n) => ({ leads: many(n, lead) }), 60, ['leads']],
  [
    'a phone in a batch',
    createLeads.body,
    (n) => ({ leads: [lead, { ...lead, phone: letters(n) }] }),
    32,
    ['leads', 1, 'phone'],
  ],
  ['a changed name', updateLead.body, (n) => ({ name: letters(n) }), 200, ['name']],
  ['a changed email', updateLead.body, (n) => ({ email: letters(n) }), 254, ['email']],
  ['a changed address', updateLead.body, (n) => ({ address: letters(n) }), 500, ['address']],
  ['a given external_id', updateLead.body, (n) => ({ external_id: letters(n) }), 200, ['external_id']],
  ['the reason of an opt-out', optOutLead.body, (n) => ({ reason: letters(n) }), 500, ['reason']],
  ['the external_id of a call', startCall.body, (n) => ({ external_id: letters(n) }), 200, ['external_id']],
  ['a DNC number', addDnc.body, (n) => ({ phone: letters(n) }), 32, ['phone']],
  ['DNC numbers of a batch', addDncBatch.body, (n) => ({ phones: many(n, '2125557812') }), 100, ['phones']],
  ['DNC search', contract.listDnc.query, (n) => ({ search: letters(n) }), 200, ['search']],
  ['a number to check', contract.checkDnc.query, (n) => ({ phone: letters(n) }), 32, ['phone']],
  ['a looked-up external_id', contract.listLeads.query, (n) => ({ external_id: letters(n) }), 200, ['external_id']],
  ['a webhook address', createWebhookEndpoint.body, (n) => ({ ...hook, url: letters(n) }), 2048, ['url']],
  ['a changed webhook address', updateWebhookEndpoint.body, (n) => ({ url: letters(n) }), 2048, ['url']],
  [
    'events of an endpoint',
    createWebhookEndpoint.body,
    (n) => ({ ...hook, events: many(n, 'lead.late') }),
    50,
    ['events'],
  ],
  ['changed events', updateWebhookEndpoint.body, (n) => ({ events: many(n, 'lead.late') }), 50, ['events']],
  ['grace hours', rollSecret.body, (n) => ({ grace_hours: n }), 168, ['grace_hours']],
  ['a page of leads', contract.listLeads.query, (n) => ({ limit: n }), 100, ['limit']],
  ['a page of DNC entries', contract.listDnc.query, (n) => ({ limit: n }), 100, ['limit']],
  ['a page of deliveries', contract.listDeliveries.query, (n) => ({ limit: n }), 100, ['limit']],
  ['a page of events', contract.listEvents.query, (n) => ({ limit: n }), 100, ['limit']],
  ['a page of campaigns', contract.listCampaigns.query, (n) => ({ limit: n }), 100, ['limit']],
  ['an older page of calls', contract.listCalls.query, (n) => ({ limit: n }), 500, ['limit']],
  ['logged requests', control.listRequests.query, (n) => ({ limit: n }), 1000, ['limit']],
  [
    "a key's requests at once",
    control.createKey.body,
    (n) => ({ limits: { concurrent_requests: n } }),
    50,
    ['limits', 'concurrent_requests'],
  ],
]

// rule L6
describe('a limit', () => {
  it.each(rows)('on %s holds', (_what, schema, make, most, path) => {
    expect(pathOf(schema, make(most))).toBeUndefined()
    expect(pathOf(schema, make(most + 1))).toEqual(path)
  })

  it.each([
    ['calls', contract.listCalls.query, 50],
    ['DNC entries', contract.listDnc.query, 50],
    ['leads', contract.listLeads.query, 20],
    ['deliveries', contract.listDeliveries.query, 25],
    ['events', contract.listEvents.query, 50],
    ['campaigns', contract.listCampaigns.query, 20],
  ])('is of its own for pages of %s, and at least 1', (_what, query, usual) => {
    expect(query.parse({})).toMatchObject({ limit: usual })
    expect(pathOf(query, { limit: 1 })).toBeUndefined()
    expect(pathOf(query, { limit: 0 })).toEqual(['limit'])
    expect(pathOf(query, { limit: 1.5 })).toEqual(['limit'])
  })
})

describe('a lead that is sent', () => {
  it('may name a campaign by any uuid, in any case', () => {
    const upper = { ...lead, campaign_id: '11111111-1111-1111-1111-11111111111A' }
    expect(createLead.body.parse(upper)).toMatchObject({ campaign_id: '11111111-1111-1111-1111-11111111111a' })
    expect(pathOf(createLead.body, { ...lead, campaign_id: 'summer' })).toEqual(['campaign_id'])
  })

  it('may have an empty phone: whether it is a number is not a matter of form', () => {
    expect(pathOf(createLead.body, { ...lead, phone: '' })).toBeUndefined()
    expect(pathOf(createLead.body, { campaign_id: lead.campaign_id })).toEqual(['phone'])
  })

  it.each([
    ['without a zone', { ...consent, agreed_at: '2026-10-01T00:00:00' }, 'agreed_at'],
    ['on a day that is not', { ...consent, agreed_at: '2026-02-30T00:00:00Z' }, 'agreed_at'],
    ['without a source', { agreed_at: consent.agreed_at, text: 'Yes.' }, 'source'],
    ['with neither text nor url', { source: 'crm', agreed_at: consent.agreed_at }, 'text'],
    ['with an empty text alone', { ...consent, text: '' }, 'text'],
    ['with a url that is none', { ...consent, url: 'our site' }, 'url'],
  ])('is refused with a consent %s', (_what, bad, field) => {
    expect(pathOf(createLead.body, { ...lead, consent: bad })).toEqual(['consent', field])
  })

  it('may give a url for consent and no text', () => {
    const byUrl = { source: 'crm', agreed_at: '2026-10-01T02:00:00+02:00', url: 'https://example.test/form' }
    expect(pathOf(createLead.body, { ...lead, consent: byUrl })).toBeUndefined()
  })

  it('keeps custom fields with unusual names, and is refused with one that would be lost', () => {
    const odd = { constructor: 'Smith & Sons', toString: 'x', '': 'y' }
    expect(createLead.body.parse({ ...lead, fields: odd })).toMatchObject({ fields: odd })
    const lost = JSON.parse('{"__proto__":"x"}') as unknown
    expect(pathOf(createLead.body, { ...lead, fields: lost })).toEqual(['fields', '__proto__'])
    expect(pathOf(createLead.body, { ...lead, fields: { n: 5 } })).toEqual(['fields', 'n'])
    expect(pathOf(createLead.body, { ...lead, fields: ['x'] })).toEqual(['fields'])
    expect(pathOf(createLead.body, { ...lead, fields: null })).toEqual(['fields'])
  })

  it('needs a campaign in a batch, of its own or of the batch', () => {
    const { campaign_id, ...bare } = lead
    expect(pathOf(createLeads.body, { leads: [lead, bare] })).toEqual(['leads', 1, 'campaign_id'])
    expect(pathOf(createLeads.body, { campaign_id, leads: [lead, bare] })).toBeUndefined()
  })

  it('needs no campaign below one, and cannot name one there', () => {
    expect(pathOf(contract.createCampaignLead.body, { phone: lead.phone })).toBeUndefined()
    const [issue] = contract.createCampaignLead.body.safeParse(lead).error?.issues ?? []
    expect(issue).toMatchObject({ code: 'unrecognized_keys', keys: ['campaign_id'] })
  })
})

describe('a change of a lead', () => {
  it('gives call_now up and never takes it', () => {
    expect(pathOf(updateLead.body, { call_now: false })).toBeUndefined()
    expect(pathOf(updateLead.body, { call_now: true })).toEqual(['call_now'])
  })

  it.each([null, 5, '', '+12125557812', {}])('reaches the service with the phone %j in it', (phone) => {
    expect(updateLead.body.parse({ phone })).toHaveProperty('phone', phone)
  })
})

describe('a call that is asked for', () => {
  it('names its lead one way or the other', () => {
    expect(pathOf(startCall.body, {})).toEqual(['lead_id'])
    expect(pathOf(startCall.body, { campaign_id: lead.campaign_id })).toEqual(['lead_id'])
    expect(pathOf(startCall.body, { external_id: 'crm-1' })).toBeUndefined()
  })
})

// rule C4
describe('a filter by time', () => {
  it.each([
    ['2026-10-01T00:00:00Z', Date.UTC(2026, 9, 1)],
    ['2026-10-01T02:00:00+02:00', Date.UTC(2026, 9, 1)],
    ['1790812800', 1_790_812_800_000],
    ['0', 0],
  ])('takes %s', (text, ms) => {
    expect(DateTimeFilter.parse(text)).toBe(text)
    expect(filterMilliseconds(text)).toBe(ms)
  })

  it.each(['', 'yesterday', '2026-10-01', '2026-10-01T00:00:00', '-5', '1.5'])('does not take %j', (text) => {
    expect(pathOf(DateTimeFilter, text)).toEqual([])
  })
})

describe('pushing time forward', () => {
  it.each([{ by: '90s' }, { by: '1h30m' }, { by: '2.5d' }, { by: 90 }, { by: '90' }, { to: '2026-10-01T00:00:00Z' }])(
    'takes %j',
    (body) => {
      expect(pathOf(control.advanceClock.body, body)).toBeUndefined()
    },
  )

  it.each([{}, { by: -1 }, { by: 'soon' }, { by: '90s', to: '2026-10-01T00:00:00Z' }])('does not take %j', (body) => {
    expect(pathOf(control.advanceClock.body, body)).toEqual(['by'])
  })
})

describe('calling hours', () => {
  const settings = { name: controlBodies.createCampaign.name }
  const withMonday = (windows: unknown) => ({ ...settings, calling_hours: { mon: windows } })

  it.each([
    [[]],
    [[['09:00', '24:00']]],
    [
      [
        ['08:00', '12:00'],
        ['13:00', '17:30'],
      ],
    ],
  ])('can be %j on a day', (windows) => {
    expect(pathOf(control.createCampaign.body, withMonday(windows))).toBeUndefined()
  })

  it.each([
    [[['17:00', '09:00']]],
    [[['09:00', '09:00']]],
    [[['9:00', '17:00']]],
    [[['09:00', '24:30']]],
    [[['09:00']]],
  ])('cannot be %j on a day', (windows) => {
    expect(pathOf(control.createCampaign.body, withMonday(windows))?.slice(0, 3)).toEqual(['calling_hours', 'mon', 0])
  })
})
