/** Measures isolated worlds: creating and forking them, their memory, and how little they disturb each other. */
import { request, Agent } from 'node:http'
import { join } from 'node:path'
import type { IsolatedWorld } from '../src/contract/control/worlds.js'
import { median, percent, times, type Row } from './row.js'
import { leadNumber, Service } from './service.js'

const inFlight = 32
const manyWorlds = 500
const forkedLeads = 10_000
const pushedLeads = 100_000
/** Enough to call most of the leads in a day. */
const lines = 250
const workers = 64
/** Worlds that are created, used and deleted, and those after which the memory counts as warm. */
const deletedWorlds = 10_000
const warmWorlds = 2_000
const testsPerWorker = 50

const agent = new Agent({ keepAlive: true, maxSockets: 128 })

/** Sends JSON over a kept connection. `fetch` and `stream/consumers` would cost more than what they measure. */
async function post(url: string, body: object = {}, headers: Record<string, string> = {}): Promise<unknown> {
  const sent = JSON.stringify(body)
  const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) }
  const reply = await new Promise<string>((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent, headers: { ...length, ...headers } }, (answer) => {
      let content = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (content += chunk))
      answer.once('error', reject)
      answer.once('end', () => (answer.statusCode! < 300 ? resolve(content) : reject(new Error(content))))
    })
    asked.once('error', reject).end(sent)
  })
  return (JSON.parse(reply) as { data: unknown }).data
}

const patch = (url: string, body: object) =>
  fetch(url, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const create = async ({ url }: Service, body: object = {}) => (await post(`${url}/_sim/worlds`, body)) as IsolatedWorld

const keyOf = ({ keys }: IsolatedWorld) => ({
  authorization: `Bearer ${keys.find(({ mode }) => mode === 'live')!.secret}`,
})
const campaignOf = ({ campaigns }: IsolatedWorld) => campaigns[0]!.id

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Runs `count` works, `atOnce` at a time. Returns how long each took. */
async function timesOf(count: number, atOnce: number, work: (i: number) => Promise<unknown>): Promise<number[]> {
  const found: number[] = []
  let next = 0
  const loop = async () => {
    for (let i = next++; i < count; i = next++) found.push(await timed(() => work(i)))
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  return found
}

async function creation(service: Service): Promise<Row> {
  // The first few thousand requests to any program are slow: its code is not compiled yet.
  await timesOf(4_000, inFlight, () => create(service, { idle_ttl_seconds: 1 }))
  const created = await timesOf(2_000, inFlight, () => create(service, { idle_ttl_seconds: 1 }))
  // The same number of requests of the smallest control route.
  const bare = await timesOf(2_000, inFlight, () => post(`${service.url}/_sim/clock/advance`, { by: 0 }))
  return {
    what: `Creating a world over HTTP, ${inFlight} requests in flight`,
    beside: 'An advance of 0 seconds, in the same way',
    result: `median ${median(created).toFixed(1)} ms, ${times(median(created), median(bare))} that of the advance`,
    budget: 'median at most 5 ms',
  }
}

async function memory(service: Service): Promise<Row[]> {
  const addLeads = async (count: number, from: number) => {
    const { secret } = await service.account()
    const { id: campaign_id } = await service.control<{ id: string }>('POST', '/campaigns', {
      name: `${from}`,
      consent_required: false,
    })
    const headers = { authorization: `Bearer ${secret}` }
    const took = await timed(() =>
      timesOf(count, 16, (i) => post(`${service.baseUrl}/leads`, { campaign_id, ...leadNumber(from + i) }, headers)),
    )
    return (1000 * count) / took
  }
  await addLeads(1_000, 0)
  const alone = await addLeads(3_000, 10_000)
  for (let i = 0; i < manyWorlds; i++) {
    const world = await create(service)
    await post(`${world.base_url}/leads`, { campaign_id: campaignOf(world), ...leadNumber(i) }, keyOf(world))
  }
  const { now } = service.memory()
  const among = await addLeads(3_000, 20_000)
  return [
    {
      what: `Memory of a process with ${manyWorlds} worlds, each with a lead`,
      beside: 'The budget',
      result: `${Math.round(now)} MB`,
      budget: 'at most 600 MB',
    },
    {
      what: `\`POST /leads\` to the main world, with ${manyWorlds} other worlds`,
      beside: 'The same without them',
      result: `${percent(among, alone)} of its rate`,
      budget: 'at least 91%',
    },
  ]
}

async function forks(service: Service): Promise<Row> {
  const source = await create(service)
  const load = async (from: number, leads: number) =>
    post(`${source.control_url}/leads`, {
      campaign_id: campaignOf(source),
      mode: 'live',
      leads: Array.from({ length: leads }, (_, i) => leadNumber(from + i)),
    })
  for (let from = 0; from < forkedLeads; from += 2_000) await load(from, 2_000)
  const took: number[] = []
  for (let i = 0; i < 10; i++)
    took.push(
      await timed(async () => {
        const fork = await create(service, { from: source.id })
        await post(`${fork.control_url}/clock/advance`, { by: 0 })
      }),
    )
  return {
    what: `Forking a world with ${forkedLeads.toLocaleString('en-US')} leads, until it answers`,
    beside: 'The budget',
    result: `median ${median(took).toFixed(0)} ms`,
    budget: 'at most 60 ms',
  }
}

async function latency(service: Service): Promise<Row> {
  const [pushed, asked] = [await create(service, { name: 'pushed' }), await create(service, { name: 'asked' })]
  for (let from = 0; from < pushedLeads; from += 5_000)
    await post(`${pushed.control_url}/leads`, {
      campaign_id: campaignOf(pushed),
      mode: 'live',
      leads: Array.from({ length: 5_000 }, (_, i) => leadNumber(from + i)),
    })
  await patch(`${pushed.control_url}/campaigns/${campaignOf(pushed)}`, { lines })
  let isOver = false
  const push = post(`${pushed.control_url}/clock/advance`, { by: '24h' }).then(() => (isOver = true))
  const took: number[] = []
  for (let i = 0; !isOver; i++)
    took.push(
      await timed(() =>
        post(
          `${asked.base_url}/leads`,
          { campaign_id: campaignOf(asked), ...leadNumber(i % 4_000) },
          keyOf(asked),
        ).catch(() => undefined),
      ),
    )
  await push
  const sorted = took.sort((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  return {
    what: `A request to one world while a day of ${pushedLeads.toLocaleString('en-US')} leads is pushed in another`,
    beside: 'The budget',
    result: `p99 ${p99.toFixed(0)} ms, median ${median(sorted).toFixed(0)} ms, of ${sorted.length} requests`,
    budget: 'p99 at most 25 ms',
  }
}

/** Creates worlds, uses each one and deletes it, and compares the memory after many with that after the first ones. */
async function leaks(service: Service): Promise<Row> {
  const useOne = async (i: number) => {
    const world = await create(service)
    await post(`${world.base_url}/leads`, { campaign_id: campaignOf(world), ...leadNumber(i) }, keyOf(world))
    await post(`${world.control_url}/clock/advance`, { by: '1h' })
    await fetch(`${service.url}/_sim/worlds/${world.id}`, { method: 'DELETE' })
  }
  await timesOf(warmWorlds, inFlight, useOne)
  const { now: warm } = service.memory()
  await timesOf(deletedWorlds - warmWorlds, inFlight, useOne)
  const { now } = service.memory()
  return {
    what: `Memory after ${deletedWorlds.toLocaleString('en-US')} worlds were created, used and deleted`,
    beside: `The same after ${warmWorlds.toLocaleString('en-US')}`,
    result: `${Math.round(now)} MB, ${times(now, warm)}`,
    budget: 'at most 1.2 times',
  }
}

/** Each test creates a world, adds leads, pushes a month and finds only these leads. */
async function crossTalk(service: Service): Promise<Row> {
  let mixed = 0
  const test = async (i: number) => {
    const world = await create(service)
    const campaign_id = campaignOf(world)
    await post(`${world.base_url}/leads`, { campaign_id, ...leadNumber(i), external_id: `test-${i}` }, keyOf(world))
    await post(`${world.control_url}/clock/advance`, { by: '31d' })
    const found = await fetch(`${world.base_url}/leads`, { headers: keyOf(world) })
    const { data } = (await found.json()) as { data: { external_id: string }[] }
    if (data.length !== 1 || data[0]?.external_id !== `test-${i}`) mixed++
    await fetch(`${service.url}/_sim/worlds/${world.id}`, { method: 'DELETE' })
  }
  const took = await timed(() => timesOf(workers * testsPerWorker, workers, test))
  return {
    what: `${workers} workers with ${testsPerWorker} tests each, each in a world with a pushed month`,
    beside: 'The leads that each test added',
    result: `${mixed} of ${workers * testsPerWorker} tests saw another's data; ${(took / 1000).toFixed(0)} s in all`,
    budget: 'none',
  }
}

export async function measureIsolatedWorlds(folder: string): Promise<Row[]> {
  const rows: Row[] = []
  const measures = [
    async (service: Service) => [await creation(service)],
    memory,
    async (service: Service) => [await forks(service)],
    async (service: Service) => [await latency(service)],
    async (service: Service) => [await leaks(service)],
    async (service: Service) => [await crossTalk(service)],
  ]
  for (const [i, measure] of measures.entries()) {
    const service = await Service.start(join(folder, `isolated-${i}.db`), 'paused', { worlds: 20_000 })
    try {
      rows.push(...(await measure(service)))
    } finally {
      await service.stop()
    }
  }
  return rows
}
