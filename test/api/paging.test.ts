/** Lists page by page: newest first, and while things come and go, every item that stays is seen exactly once. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simulate, type Client, type Simulation } from '../support/simulate.js'

interface Item {
  id: string
}

interface List {
  path: (sim: Simulation) => string
  cursor: string
  /** The default size of a page. */
  usual: number
  /** Makes one more item or several. */
  add: (sim: Simulation) => Promise<unknown>
  remove?: (sim: Simulation, id: string) => Promise<unknown>
}

const endpoints = new WeakMap<Simulation, string>()

async function endpointOf(sim: Simulation): Promise<string> {
  const known = endpoints.get(sim)
  if (known) return known
  const { data } = await sim.live.post<Item>('/webhook_endpoints', {
    url: 'https://203.0.114.1/hook',
    events: ['lead.created'],
  })
  await sim.live.patch(`/webhook_endpoints/${data.id}`, { status: 'paused' })
  endpoints.set(sim, data.id)
  return data.id
}

const lists: Record<string, List> = {
  leads: { path: () => '/leads', cursor: 'starting_after', usual: 20, add: (sim) => sim.lead() },
  calls: { path: () => '/calls', cursor: 'starting_after', usual: 50, add: (sim) => sim.lead() },
  events: { path: () => '/events', cursor: 'starting_after', usual: 50, add: (sim) => sim.lead() },
  campaigns: { path: () => '/campaigns', cursor: 'starting_after', usual: 20, add: (sim) => sim.campaign() },
  dnc: {
    path: () => '/dnc',
    cursor: 'cursor',
    usual: 50,
    add: (sim) => sim.live.post('/dnc', { phone: sim.phone() }),
    remove: (sim, id) => sim.live.del(`/dnc/${id}`),
  },
  deliveries: {
    path: (sim) => `/webhook_endpoints/${endpoints.get(sim) ?? ''}/deliveries`,
    cursor: 'starting_after',
    usual: 25,
    add: async (sim) => {
      await endpointOf(sim)
      await sim.lead()
    },
  },
}

const page = (client: Client, path: string, limit: number, cursor: string, after: string | null) =>
  client.get<Item[]>(`${path}?limit=${limit}${after === null ? '' : `&${cursor}=${after}`}`)

async function started(): Promise<Simulation> {
  const sim = await simulate()
  await sim.changeCampaign({ lines: 1_000 })
  return sim
}

/** The same simulator with a new world. Starting another one takes longer. */
async function startAgain(sim: Simulation): Promise<void> {
  await sim.control('POST', '/_sim/reset', {})
  endpoints.delete(sim)
  await sim.look()
  await sim.changeCampaign({ lines: 1_000 })
}

describe.each(Object.entries(lists))('the list of %s', (_name, { path, cursor, usual, add, remove }) => {
  // rule P2
  it('shows every item that stays exactly once, whatever comes and goes between the pages', async () => {
    const change = fc.record({ adds: fc.integer({ min: 0, max: 2 }), removes: fc.array(fc.nat(50), { maxLength: 2 }) })
    const sim = await simulate()
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(change, { maxLength: 6 }),
        async (count, limit, changes) => {
          await startAgain(sim)
          for (let n = 0; n < count; n++) await add(sim)
          const staying = new Set((await sim.live.all<Item>(path(sim), cursor)).map(({ id }) => id))
          const seen: string[] = []
          let after: string | null = null
          for (let turn = 0; turn === 0 || after !== null; turn++) {
            const { data, meta } = await page(sim.live, path(sim), limit, cursor, after)
            expect(meta.has_more).toBe(meta.next_cursor !== null)
            if (meta.has_more) expect(meta.next_cursor).toBe(data.at(-1)?.id)
            seen.push(...data.map(({ id }) => id))
            after = meta.next_cursor
            for (const place of changes[turn]?.removes ?? []) {
              const id: string | undefined = [...staying][place]
              if (id !== undefined && remove) await remove(sim, id).then(() => staying.delete(id))
            }
            for (let n = 0; n < (changes[turn]?.adds ?? 0); n++) await add(sim)
          }
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen).toEqual(expect.arrayContaining([...staying]))
        },
      ),
      { numRuns: 12 },
    )
  })

  it('is newest first, and its pages have their usual size', async () => {
    const sim = await started()
    for (let n = 0; n < usual + 1; n++) await add(sim)
    const { data, meta } = await sim.live.get<Item[]>(path(sim))
    expect(data).toHaveLength(usual)
    expect(meta.has_more).toBe(true)
    const all = await sim.live.all<Item>(path(sim), cursor, 7)
    expect(all.slice(0, usual)).toEqual(data)
    await add(sim)
    const [newest] = (await sim.live.get<Item[]>(`${path(sim)}?limit=1`)).data
    expect(all.map(({ id }) => id)).not.toContain(newest?.id)
  })

  it('has no cursor on its last page, be it full or empty', async () => {
    const sim = await started()
    await add(sim)
    const { length } = await sim.live.all<Item>(path(sim), cursor)
    const full = await page(sim.live, path(sim), length, cursor, null)
    expect(full.meta).toEqual({ next_cursor: null, has_more: false })
    const after = await page(sim.live, path(sim), length, cursor, full.data.at(-1)?.id ?? '')
    expect({ data: after.data, meta: after.meta }).toEqual({ data: [], meta: { next_cursor: null, has_more: false } })
  })

  // rule P3
  it.each(['0', '101', '-1', 'x'])('has no pages of %s', async (limit) => {
    const sim = await started()
    await add(sim)
    // A limit over 100 asks the calls for their older shape.
    const wrong = path(sim) === '/calls' && limit === '101' ? '501' : limit
    expect((await sim.live.get(`${path(sim)}?limit=${wrong}`)).error).toMatchObject({
      code: 'invalid_request',
      param: 'limit',
    })
  })

  // rule P1
  it('refuses a cursor that names nothing, or something of the other mode', async () => {
    const sim = await started()
    await add(sim)
    const other = await sim.test.post<Item>('/dnc', { phone: sim.phone() })
    for (const wrong of ['b7a5d9a3-43f4-4fd1-9d59-6c4d2be0f1d5', other.data.id]) {
      expect((await sim.live.get(`${path(sim)}?${cursor}=${wrong}`)).error).toMatchObject({
        code: 'invalid_request',
        param: cursor,
      })
    }
  })
})
