import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/contract/calls.js'
import type { Export, ExportCreated, ExportType } from '../../src/contract/exports.js'
import type { Lead } from '../../src/contract/leads.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { download } from '../support/download.js'
import { simulate, type Simulation } from '../support/simulate.js'

const day = 24 * 60 * 60_000

const make = (sim: Simulation, exportType: ExportType, filters?: object, key = sim.live.key) =>
  sim.as(key).post<ExportCreated>('/exports', { exportType, ...(filters && { filters }) })

/** The rows of a file, and the text it was read from. */
async function read(url: string) {
  const file = await download(url)
  const { data, errors, meta } = Papa.parse<Record<string, string>>(file.text, { header: true, skipEmptyLines: true })
  expect(errors).toEqual([])
  return { ...file, columns: meta.fields ?? [], rows: data }
}

async function rowsOf(sim: Simulation, exportType: ExportType, filters?: object, key = sim.live.key) {
  const { data } = await make(sim, exportType, filters, key)
  const { rows } = await read(data.downloadUrl)
  expect(rows).toHaveLength(data.export.rowCount)
  return rows
}

const list = (sim: Simulation, key = sim.live.key) => sim.as(key).get<Export[]>('/exports')

// rule X1
describe('a new export', () => {
  it('is ready at once, with a link to its file for a day', async () => {
    const sim = await simulate()
    await sim.lead({ phone: '+12125557812' })
    const { status, data } = await make(sim, 'leads')
    expect(status).toBe(200)
    expect(data).toMatchObject({
      livemode: true,
      export: { exportType: 'leads', status: 'ready', rowCount: 1, livemode: true },
    })
    expect(Date.parse(data.export.expiresAt) - Date.parse(data.export.createdAt)).toBe(day)
    const { status: found, headers } = await download(data.downloadUrl)
    expect(found).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="leads-${data.export.id}.csv"`,
    })
  })

  it('names its columns like the fields of the API, and gives each value as the API does', async () => {
    const sim = await simulate()
    const id = await sim.scripted(
      '+12125557812',
      { answer: 'voicemail' },
      {
        external_id: 'crm-1',
        name: 'Zoë',
        fields: { color: 'red', size: '2' },
        consent: { source: 'web_form', agreed_at: '2026-10-01T09:30:00Z', text: 'Yes.' },
      },
    )
    await sim.advance('2m')
    const { data: lead } = await sim.live.get<Lead>(`/leads/${id}`)
    expect(await rowsOf(sim, 'leads')).toMatchObject([
      {
        id,
        external_id: 'crm-1',
        campaign_id: sim.campaignId,
        name: 'Zoë',
        fields: 'color: red; size: 2',
        'consent.source': 'web_form',
        'owner.name': 'Dana Reyes',
        created: lead.created,
        status: 'scheduled',
        call_now: 'false',
        scheduled_for: lead.scheduled_for,
        callback_at: '',
        attempts: '1',
        last_outcome: 'voicemail',
      },
    ])
  })

  it('is RFC 4180: every line ends with CR LF, and cells with commas, quotes or line ends are quoted', async () => {
    const sim = await simulate()
    const name = ' Ann "the\r\nBoss", Jr.'
    await sim.lead({ phone: '+12125557812', name })
    const { text, bytes, rows } = await read((await make(sim, 'leads')).data.downloadUrl)
    expect(rows[0]?.name).toBe(name)
    expect(text).toContain('" Ann ""the\r\nBoss"", Jr."')
    expect(text.endsWith('\r\n')).toBe(true)
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(bytes[0]).toBe('p'.charCodeAt(0))
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'puts an apostrophe before %j, which begins like a formula',
    async (name) => {
      const sim = await simulate()
      await sim.lead({ phone: '+12125557812', name, address: `1 ${name}` })
      expect(await rowsOf(sim, 'leads')).toMatchObject([
        { name: `'${name}`, address: `1 ${name}`, phone: "'+12125557812" },
      ])
    },
  )

  it.each([
    ['after a line break', 'a\n=1+1', "a\n'=1+1"],
    ['after a return', 'a\r\n@SUM(A1)', "a\r\n'@SUM(A1)"],
    ['after a semicolon', 'a;+1', "a;'+1"],
    ['with fullwidth signs', '\uff1d1\uff0b1', "'\uff1d1\uff0b1"],
    ['with a fullwidth at sign after a semicolon', 'a;\uff20x', "a;'\uff20x"],
    ['with apostrophes before it', "''=1+1", "'''=1+1"],
  ])('puts an apostrophe before a formula %s', async (_what, name, cell) => {
    const sim = await simulate()
    await sim.lead({ phone: '+12125557812', name })
    expect(await rowsOf(sim, 'leads')).toMatchObject([{ name: cell }])
  })

  it('holds the data as it was then', async () => {
    const sim = await simulate()
    const { id } = await sim.lead({ phone: '+12125557812', name: 'Before' })
    const { data } = await make(sim, 'leads')
    await sim.live.patch(`/leads/${id}`, { name: 'After' })
    await sim.lead({ phone: '+12125557813' })
    expect((await read(data.downloadUrl)).rows).toMatchObject([{ name: 'Before' }])
  })

  it('is the same export when the request is repeated with its Idempotency-Key', async () => {
    const sim = await simulate()
    const again = () =>
      fetch(`${sim.baseUrl}/exports`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${sim.live.key.secret}`,
          'content-type': 'application/json',
          'idempotency-key': 'one',
        },
        body: '{"exportType":"analytics"}',
      }).then((reply) => reply.json())
    expect(await again()).toEqual(await again())
    expect((await list(sim)).data).toHaveLength(1)
  })

  it('is whole when it is larger than what is compressed at a time', async () => {
    const sim = await simulate()
    const address = 'x'.repeat(490)
    const leads = (batch: number) =>
      Array.from({ length: 60 }, (_, i) => ({ phone: `+1212${5_570_000 + batch * 60 + i}`, address }))
    for (let batch = 0; batch < 15; batch++) {
      await sim.live.post('/leads/batch', { campaign_id: sim.campaignId, leads: leads(batch) })
    }
    const { bytes, rows } = await read((await make(sim, 'leads')).data.downloadUrl)
    expect(bytes.length).toBeGreaterThan(2 * 2 ** 18)
    expect(new Set(rows.map(({ phone }) => phone)).size).toBe(900)
  })
})

describe('what an export holds', () => {
  it('is every call with its lead, as GET /calls gives it', async () => {
    const sim = await simulate()
    const talk = { answer: 'person', talk_seconds: 61, outcome: 'interested', handover: { role: 'sdr' } } as const
    await sim.scripted('+12125557812', talk, { external_id: 'crm-1' })
    await sim.advance('3m')
    await sim.scripted('+12125557813', { answer: 'busy' })
    await sim.advance('1m')
    const { data: calls } = await sim.live.get<Call[]>('/calls')
    const rows = await rowsOf(sim, 'call_history')
    expect(rows.map(({ id }) => id)).toEqual(calls.map(({ id }) => id).reverse())
    expect(rows).toMatchObject([
      {
        'lead.external_id': 'crm-1',
        'lead.phone': "'+12125557812",
        direction: 'outbound',
        status: 'ended',
        outcome: 'interested',
        duration_seconds: '61',
        started: calls[1]?.started,
        'handled_by.role': 'sdr',
        tth_seconds: String(calls[1]?.tth_seconds),
        recording_available: 'true',
        'started_by.type': 'dialer',
      },
      { outcome: 'busy', duration_seconds: '0', answered: '', recording_available: 'false' },
    ])
  })

  it('is what each campaign had each day: leads, calls, minutes and outcomes', async () => {
    const sim = await simulate()
    await sim.scripted('+12125557812', { answer: 'person', talk_seconds: 61, outcome: 'not_interested' })
    await sim.scripted('+12125557813', { answer: 'voicemail', talk_seconds: 30 })
    await sim.advance('23h')
    await sim.scripted('+12125557814', { answer: 'no_answer' })
    await sim.advance('10m')
    const campaign = { campaign_id: sim.campaignId, campaign_name: 'Web leads' }
    expect(await rowsOf(sim, 'analytics')).toMatchObject([
      {
        ...{ ...campaign, day: '2026-10-01', leads_added: '2', calls: '2', calls_connected: '1', minutes: '3' },
        ...{ 'outcomes.not_interested': '1', 'outcomes.voicemail': '1', 'outcomes.no_answer': '0' },
      },
      {
        ...campaign,
        day: '2026-10-02',
        leads_added: '1',
        calls: '1',
        calls_connected: '0',
        minutes: '0',
        'outcomes.no_answer': '1',
      },
    ])
  })

  it('is what the campaign filter names, and 404 for a campaign that is not there', async () => {
    const sim = await simulate()
    const other = await sim.campaign({ name: 'Other' })
    const { id: first } = await sim.lead({ phone: '+12125557812' })
    const { id: second } = await sim.lead({ phone: '+12125557813', campaign_id: other.id })
    const ids = async (campaignId: string) => (await rowsOf(sim, 'leads', { campaignId })).map(({ id }) => id)
    expect([await ids(sim.campaignId), await ids(other.id)]).toEqual([[first], [second]])
    const unknown = await make(sim, 'leads', { campaignId: '3b241101-e2bb-4255-8caf-4136c566a962' })
    expect(unknown).toMatchObject({ status: 404, error: { code: 'not_found', param: 'filters.campaignId' } })
  })

  // The first of November 2026 has 25 hours in New York: from 04:00 in UTC to 05:00 of the day after.
  it('includes both days of the filter, in the time zone of the organization, when clocks change too', async () => {
    const sim = await simulate({ now: '2026-11-01T03:59:59Z' })
    const moments = ['03:59:59', '04:00:00', '28:59:59', '29:00:00']
    const ids: string[] = []
    for (const [i, text] of moments.entries()) {
      const [hour = 0, minute = 0, second = 0] = text.split(':').map(Number)
      await sim.advance(new Date(Date.UTC(2026, 10, 1, hour, minute, second)).toISOString())
      ids.push((await sim.lead({ phone: `+1212555781${i}` })).id)
    }
    const found = async (filters: object) =>
      (await rowsOf(sim, 'leads', filters)).map(({ id }) => ids.indexOf(id ?? ''))
    expect(await found({ startDate: '2026-11-01', endDate: '2026-11-01' })).toEqual([1, 2])
    expect(await found({ startDate: '2026-11-01' })).toEqual([1, 2, 3])
    expect(await found({ endDate: '2026-11-01' })).toEqual([0, 1, 2])
    expect((await rowsOf(sim, 'analytics')).map((row) => row.day)).toEqual(['2026-10-31', '2026-11-01', '2026-11-02'])
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { time_zone: 'Asia/Kathmandu' })
    expect(await found({ startDate: '2026-11-01', endDate: '2026-11-01' })).toEqual([0, 1])
  })

  it('has no place for days that are none, or that end before they begin', async () => {
    const sim = await simulate()
    const refused = (param: string) => ({ status: 400, error: { code: 'invalid_request', param } })
    expect(await make(sim, 'leads', { startDate: '2026-02-30' })).toMatchObject(refused('filters.startDate'))
    expect(await make(sim, 'leads', { startDate: '2026-10-02', endDate: '2026-10-01' })).toMatchObject(
      refused('filters.endDate'),
    )
    expect((await list(sim)).data).toEqual([])
  })
})

describe('the list of exports', () => {
  it('has the newest first, and says which have expired', async () => {
    const sim = await simulate()
    const { data: first } = await make(sim, 'leads')
    await sim.advance('1h')
    const { data: second } = await make(sim, 'analytics')
    expect((await list(sim)).data).toEqual([second.export, first.export])
    await sim.advance('23h')
    expect((await list(sim)).data).toEqual([second.export, { ...first.export, status: 'expired' }])
  })

  it('keeps an expired export when its file is gone', async () => {
    const sim = await simulate()
    const { data } = await make(sim, 'leads')
    await sim.advance('86399s')
    expect((await download(data.downloadUrl)).status).toBe(200)
    await sim.advance('1s')
    expect(JSON.parse((await download(data.downloadUrl)).text)).toMatchObject({ error: { reason: 'expired' } })
    await sim.advance('2h')
    expect((await list(sim)).data).toMatchObject([{ id: data.export.id, status: 'expired' }])
  })

  it('is there after a restart, and so are the files', async () => {
    const data = `${temporaryFolder()}/world.db`
    const before = await simulate({ data })
    await before.lead({ phone: '+12125557812', name: 'Kept' })
    const made = (await make(before, 'leads')).data
    await before.simulator.close()
    const after = await simulate({ data })
    expect((await list(after)).data).toEqual([made.export])
    const url = made.downloadUrl.replace(before.url, after.url)
    expect((await read(url)).rows).toMatchObject([{ name: 'Kept' }])
  })
})

describe('who may export', () => {
  // rule K5
  it('a key with both permissions that covers every campaign', async () => {
    const sim = await simulate()
    for (const [permission, missing] of [
      ['leads:read', 'calls:read'],
      ['calls:read', 'leads:read'],
    ] as const) {
      const key = await sim.key({ permissions: [permission] })
      const refused = { status: 403, error: { code: 'permission_denied', missing_permission: missing } }
      expect([await list(sim, key), await make(sim, 'leads', {}, key)]).toMatchObject([refused, refused])
    }
    const scoped = await sim.key({ campaign_ids: [sim.campaignId] })
    const refused = { status: 403, error: { code: 'permission_denied', campaign_id: null } }
    expect([await list(sim, scoped), await make(sim, 'leads', {}, scoped)]).toMatchObject([refused, refused])
  })

  // rule X2
  it.each(['leads', 'call_history', 'analytics'] as const)('a test key, a sample of %s and no list', async (type) => {
    const sim = await simulate()
    const { id: live } = await sim.lead({ phone: '+12125557812' })
    const key = sim.test.key
    const { data } = await make(sim, type, { startDate: '2020-01-01', endDate: '2020-01-02' }, key)
    expect(data).toMatchObject({ livemode: false, export: { livemode: false, status: 'ready', rowCount: 3 } })
    const { rows, columns, text } = await read(data.downloadUrl)
    expect(rows).toHaveLength(3)
    expect(columns).toEqual((await read((await make(sim, type)).data.downloadUrl)).columns)
    expect(text).not.toContain(live)
    expect(await list(sim, key)).toMatchObject({ status: 403, error: { code: 'permission_denied' } })
    expect((await list(sim)).data).toHaveLength(1)
  })
})
