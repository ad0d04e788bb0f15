/** Measures requests per second of the simulator and of a minimal server in turn, and their ratio. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { startChild } from './child.js'
import { median, percent, type Row } from './row.js'
import { leadNumber, Service } from './service.js'

const floorProgram = fileURLToPath(new URL('./floor.ts', import.meta.url))
const rounds = 3
const seconds = 4
const connections = 16

interface Load {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Gives the body of each request. */
  body?: () => string
}

async function rate({ url, method, headers = {}, body }: Load): Promise<number> {
  const result = await autocannon({
    url,
    method,
    headers,
    connections,
    duration: seconds,
    ...(body && {
      requests: [{ method, headers, setupRequest: (request: autocannon.Request) => ({ ...request, body: body() }) }],
    }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${method} ${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`)
  return result.requests.average
}

/** Bodies of leads with unique numbers. A campaign accepts at most 5,000 waiting leads (rule A4). */
function bodies(campaigns: readonly string[]): () => string {
  let count = 0
  return () => {
    const n = count++
    const campaign_id = campaigns[Math.floor(n / 4_500) % campaigns.length]
    return JSON.stringify({ campaign_id, ...leadNumber(n) })
  }
}

function row(
  [what, beside, budget]: readonly [what: string, beside: string, budget: string],
  subject: readonly number[],
  floor: readonly number[],
): Row {
  const rounds = subject.map((rate, i) => percent(rate, floor[i] ?? rate)).join(', ')
  const result = `${percent(median(subject), median(floor))} of its rate (rounds: ${rounds})`
  return { what, beside, result, budget }
}

export async function measureHttp(folder: string): Promise<Row[]> {
  const service = await Service.start(join(folder, 'http.db'))
  const { secret } = await service.account()
  const campaigns: string[] = []
  for (let i = 0; i < 80; i++) {
    const { id } = await service.control<{ id: string }>('POST', '/campaigns', { name: `Bench ${i}` })
    campaigns.push(id)
  }
  const json = { 'content-type': 'application/json' }
  const headers = { ...json, authorization: `Bearer ${secret}` }
  const next = bodies(campaigns)
  const { id } = await service.api<{ id: string }>(secret, 'POST', '/leads', JSON.parse(next()) as object)
  const url = `${service.baseUrl}/leads/${id}`
  const lead = await (await fetch(url, { headers })).text()
  const floor = await startChild(['--import', 'tsx', floorProgram, join(folder, 'floor.db'), lead])
  try {
    const [posts, inserts, gets, replies]: [number[], number[], number[], number[]] = [[], [], [], []]
    const body = bodies(campaigns)
    for (let round = 0; round < rounds; round++) {
      inserts.push(await rate({ url: `${floor.firstLine}/rows`, method: 'POST', headers: json, body }))
      posts.push(await rate({ url: `${service.baseUrl}/leads`, method: 'POST', headers, body: next }))
      replies.push(await rate({ url: `${floor.firstLine}/row`, method: 'GET' }))
      gets.push(await rate({ url, method: 'GET', headers }))
    }
    const durable = 'bare fastify + one durable insert of the same size'
    return [
      row(['`POST /leads`, file store, every check, durable', durable, 'at least 75%'], posts, inserts),
      row(['`GET /leads/{id}`', 'bare fastify returning the same bytes', 'at least 40%'], gets, replies),
    ]
  } finally {
    await service.stop()
    await floor.stop()
  }
}
