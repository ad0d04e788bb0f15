/** What the filters of an export let in: days of the organization, both included, and one campaign, in every type of file. */
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import type { ExportCreated, ExportType } from '../../src/contract/exports.js'
import { simulate, type Simulation } from '../support/simulate.js'
import { download } from '../support/download.js'

async function rowsOf(
  sim: Simulation,
  exportType: ExportType,
  filters: object = {},
): Promise<Record<string, string>[]> {
  const { data } = await sim.live.post<ExportCreated>('/exports', { exportType, filters })
  const { text } = await download(data.downloadUrl)
  const { data: rows } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true })
  expect(data.export.rowCount).toBe(rows.length)
  return rows
}

const zone = (sim: Simulation, time_zone: string) =>
  sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { time_zone })

/** A lead in a campaign that calls at any hour, called at once, at each of some moments. */
async function calledAt(sim: Simulation, moments: readonly string[]): Promise<string[]> {
  await sim.changeCampaign({ any_hour: true })
  const phones: string[] = []
  for (const moment of moments) {
    await sim.advance(moment)
    const phone = sim.phone()
    await sim.script(phone, { answer: 'person', outcome: 'not_interested', talk_seconds: 90, ring_seconds: 0 })
    await sim.lead({ phone })
    phones.push(`'${phone}`)
  }
  return phones
}

it.each<[string, string, string, readonly [string, string, string, string]]>([
  [
    'New York, 23 hours',
    'America/New_York',
    '2027-03-14',
    ['2027-03-14T04:59:59Z', '2027-03-14T05:00:00Z', '2027-03-15T03:59:59Z', '2027-03-15T04:00:00Z'],
  ],
  [
    'New York, 25 hours',
    'America/New_York',
    '2026-11-01',
    ['2026-11-01T03:59:59Z', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z', '2026-11-02T05:00:00Z'],
  ],
  [
    'Kolkata, five and a half hours ahead',
    'Asia/Kolkata',
    '2026-10-10',
    ['2026-10-09T18:29:59Z', '2026-10-09T18:30:00Z', '2026-10-10T18:29:59Z', '2026-10-10T18:30:00Z'],
  ],
  [
    'Lord Howe, which changes its clocks by half an hour',
    'Australia/Lord_Howe',
    '2026-10-04',
    ['2026-10-03T13:29:59Z', '2026-10-03T13:30:00Z', '2026-10-04T12:59:59Z', '2026-10-04T13:00:00Z'],
  ],
])('holds what belongs to a day of %s', async (_where, timeZone, day, moments) => {
  const sim = await simulate({ now: '2026-09-30T00:00:00Z' })
  await zone(sim, timeZone)
  const phones = await calledAt(sim, moments)
  await sim.advance('5m')
  const within = { startDate: day, endDate: day }
  const middle = phones.slice(1, 3)
  expect((await rowsOf(sim, 'leads', within)).map(({ phone }) => phone)).toEqual(middle)
  expect((await rowsOf(sim, 'call_history', within)).map((row) => row['lead.phone'])).toEqual(middle)
  expect(await rowsOf(sim, 'analytics', within)).toMatchObject([
    { day, leads_added: '2', calls: '2', calls_connected: '2', minutes: '4', 'outcomes.not_interested': '2' },
  ])
  expect((await rowsOf(sim, 'call_history', { startDate: day })).map((row) => row['lead.phone'])).toEqual(
    phones.slice(1),
  )
  expect((await rowsOf(sim, 'call_history', { endDate: day })).map((row) => row['lead.phone'])).toEqual(
    phones.slice(0, 3),
  )
  expect(await rowsOf(sim, 'analytics')).toHaveLength(3)
})

it.each(['leads', 'call_history', 'analytics'] as const)('holds the %s of one campaign', async (type) => {
  const sim = await simulate()
  const { id: campaignId } = await sim.campaign({ name: 'Second' })
  await sim.lead()
  await sim.lead({ campaign_id: campaignId })
  const campaigns = async (filters?: object) => (await rowsOf(sim, type, filters)).map((row) => row.campaign_id)
  expect(await campaigns()).toEqual([sim.campaignId, campaignId])
  expect(await campaigns({ campaignId })).toEqual([campaignId])
})

it.each([
  ['exportType', {}],
  ['exportType', { exportType: 'calls' }],
  ['filters.campaignId', { exportType: 'leads', filters: { campaignId: 'x' } }],
  ['filters.startDate', { exportType: 'leads', filters: { startDate: '2026-10-01T00:00:00Z' } }],
  ['filters.endDate', { exportType: 'leads', filters: { endDate: '01.10.2026' } }],
  ['filters.status', { exportType: 'leads', filters: { status: 'done' } }],
  ['format', { exportType: 'leads', format: 'csv' }],
])('an export is refused with a faulty %s, case %#', async (param, body) => {
  const sim = await simulate()
  expect((await sim.live.post('/exports', body)).error).toMatchObject({ code: 'invalid_request', param })
  expect((await sim.live.get('/exports')).body).toEqual({ data: [] })
})
