/** One name for one thing: `--event`, `--limit`, `--since` and `--until`, with the earlier names as hidden aliases. */
import { describe, expect, it } from 'vitest'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { everyCommand, Svc } from '../../support/programs/svc.js'
import { SvcAt } from '../../support/programs/svc-at.js'

const asked = async (words: readonly string[], env = {}) => {
  const server = await stubServer(({ path }, response) =>
    path === '/_sim/clock'
      ? json(response, 200, { data: { now: '2026-10-08T12:00:00.000Z' } })
      : json(response, 200, { data: [] }),
  )
  const ran = await new Svc({ SVC_BASE_URL: server.baseUrl, SVC_SECRET: 'cs_test_a', ...env }).run(words)
  const path = server.asked.map((one) => one.path).find((one) => !one.startsWith('/_sim')) ?? ''
  return { ...ran, query: Object.fromEntries(new URL(path, 'http://a').searchParams) }
}

const at = '2026-10-01T09:30:00Z'

describe('--since and --until', () => {
  it.each([
    [['leads', 'list', '--since', at], { 'created[gte]': at }],
    [['calls', 'list', '--since', at, '--until', at], { 'created[gte]': at, 'created[lte]': at }],
    [['events', 'list', '--event', 'lead.late', '--since', at], { type: 'lead.late', 'created[gte]': at }],
    [['events', 'list', '--type', 'lead.late', '--created-after', at], { type: 'lead.late', 'created[gte]': at }],
    [['calls', 'list', '--created-after', at, '--created-before', at], { 'created[gte]': at, 'created[lte]': at }],
    [['leads', 'list', '--created-after', '1790000000'], { 'created[gte]': '1790000000' }],
    [['leads', 'list', '--since', '7d'], { 'created[gte]': '2026-10-01T12:00:00.000Z' }],
    [['leads', 'list', '--since', '1d12h'], { 'created[gte]': '2026-10-07T00:00:00.000Z' }],
  ])('%j asks for %j', async (words, query) => {
    expect(await asked([...words, '--json'])).toMatchObject({ code: 0, query })
  })

  it('take a date in the local time zone: its start, or its end', async () => {
    const start = new Date(2026, 9, 1).toISOString()
    const end = new Date(2026, 9, 1, 23, 59, 59, 999).toISOString()
    const { query } = await asked(['events', 'list', '--since', '2026-10-01', '--until', '2026-10-01', '--json'])
    expect(query).toEqual({ 'created[gte]': start, 'created[lte]': end })
  })

  it('take a day by its word, the last one of its name, and say which it is', async () => {
    const start = (day: number) => new Date(2026, 9, day).toISOString()
    // A Thursday, by the clock of the service.
    const words = { monday: start(5), thursday: start(8), Fri: start(2), today: start(8), yesterday: start(7) }
    for (const [word, since] of Object.entries(words)) {
      const { query, stderr } = await asked(['leads', 'list', '--since', word, '--utc'])
      expect({ query, stderr }).toEqual({
        query: expect.objectContaining({ 'created[gte]': since }) as unknown,
        stderr: expect.stringContaining(`--since ${word} is ${since}.\n`) as string,
      })
    }
    const { query } = await asked(['events', 'list', '--until', 'monday', '--json'])
    expect(query).toEqual({ 'created[lte]': new Date(2026, 9, 5, 23, 59, 59, 999).toISOString() })
  })

  it.each(['someday', '2026-02-30', '7x', '2026-10-01T09:30'])('refuse %s with exit 2', async (text) => {
    expect(await asked(['leads', 'list', '--since', text])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--since ${text} is not a date-time, a date or a duration.`) as string,
    })
  })
})

it('webhooks test takes --event, and --type as before', async () => {
  const simulator = await SvcAt.start({ allowLocalWebhooks: true })
  for (const flag of ['--event', '--type'])
    expect(
      await simulator.run(['webhooks', 'test', '00000000-0000-4000-8000-000000000000', flag, 'lead.late']),
    ).toMatchObject({ code: 3 })
})

it.each(everyCommand())('svc %s has no flag under an earlier name', (_typed, { flags, id }) => {
  const earlier = ['types', 'events', 'max-events', 'created-after', 'created-before']
  expect(Object.keys(flags).filter((name) => earlier.includes(name))).toEqual([])
  if (id !== 'exports:create') expect(Object.keys(flags)).not.toContain('type')
})

it('-y answers a confirmation like --yes', async () => {
  const svc = new Svc({ SVC_BASE_URL: 'http://127.0.0.1:9/api/v1/external', SVC_SECRET: 'cs_test_a' })
  const remove = ['dnc', 'remove', '8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11']
  expect(await svc.run(remove)).toMatchObject({ code: 2 })
  expect(await svc.run([...remove, '-y'])).toMatchObject({ code: 8 })
})

it('--limit may be larger than a page, and is the number of items', async () => {
  const stub = await stubServer(({ path }, response) => {
    const { searchParams: query } = new URL(path, 'http://stub')
    const first = Number(query.get('starting_after') ?? 0) + 1
    // A filtered page is short.
    const count = Math.min(Number(query.get('limit')), first === 1 ? 90 : 100)
    const data = Array.from({ length: count }, (_, at) => ({ id: String(first + at) }))
    json(response, 200, { data, meta: { next_cursor: String(first + count - 1), has_more: true } })
  })
  const env = { SVC_BASE_URL: stub.baseUrl, SVC_SECRET: 'cs_test_a' }
  const { stdout, stderr } = await new Svc().run(['leads', 'list', '--limit', '250', '-o', 'json', '--columns', 'id'], {
    env,
  })
  const { data, meta } = JSON.parse(stdout) as { data: { id: string }[]; meta: object }
  expect(stderr).toBe('')
  expect(data.map(({ id }) => Number(id))).toEqual(Array.from({ length: 250 }, (_, at) => at + 1))
  expect(meta).toEqual({ next_cursor: '250', has_more: true })
  expect(stub.asked.map(({ path }) => path)).toEqual([
    '/leads?limit=100',
    '/leads?limit=100&starting_after=90',
    '/leads?limit=60&starting_after=190',
  ])
})
