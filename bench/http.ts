/** Measures requests a second of the simulator beside the least a server can do, in turn, and gives the ratio. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startChild } from './child.js'

export interface Ratio {
  what: string
  floor: string
  /** Rates of each round, requests a second. */
  subject: number[]
  beside: number[]
  budget: string
}

const rounds = 3
const seconds = 4
const connections = 16

interface Load {
  url: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  /** The body of each request in turn. */
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

/** A lead of usual size, never the same number twice. */
function leads(campaigns: readonly string[]): () => string {
  let count = 0
  return () => {
    const n = count++
    const areaCodes = ['212', '312', '213', '415', '617', '206', '303', '404']
    const phone = `+1${areaCodes[n % areaCodes.length]}${2_000_000 + Math.floor(n / areaCodes.length)}`
    // A campaign takes 5,000 waiting leads.
    const campaign_id = campaigns[Math.floor(n / 4_500) % campaigns.length]
    return JSON.stringify({
      campaign_id,
      phone,
      external_id: `crm-${n}`,
      name: 'Jordan Example',
      email: `jordan.${n}@example.com`,
      fields: { city: 'Albany', interest: 'roof' },
      consent: { source: 'web_form', agreed_at: '2026-09-30T12:00:00Z', url: 'https://example.com/form' },
    })
  }
}

export async function measureHttp(): Promise<Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const subject = await startChild('subject', join(folder, 'subject.db'))
  const { url, baseUrl, secret } = JSON.parse(subject.firstLine) as { url: string; baseUrl: string; secret: string }
  const json = { 'content-type': 'application/json' }
  const campaigns = await Promise.all(
    Array.from({ length: 80 }, async (_, i) => {
      const body = JSON.stringify({ name: `Bench ${i}`, consent_required: true })
      const reply = await fetch(`${url}/_sim/campaigns`, { method: 'POST', headers: json, body })
      return ((await reply.json()) as { data: { id: string } }).data.id
    }),
  )
  const headers = { ...json, authorization: `Bearer ${secret}` }
  const next = leads(campaigns)
  const first = await fetch(`${baseUrl}/leads`, { method: 'POST', headers, body: next() })
  const { id } = ((await first.json()) as { data: { id: string } }).data
  const lead = await (await fetch(`${baseUrl}/leads/${id}`, { headers })).text()
  const floor = await startChild('floor', join(folder, 'floor.db'), lead)
  try {
    const post = {
      what: 'POST /leads, file store, every check, durable',
      floor: 'bare fastify + one durable insert of the same size',
    }
    const get = { what: 'GET /leads/{id}', floor: 'bare fastify returning the same bytes' }
    const rates = { post: [[], []] as [number[], number[]], get: [[], []] as [number[], number[]] }
    const row = leads(campaigns)
    for (let round = 0; round < rounds; round++) {
      rates.post[1].push(await rate({ url: `${floor.firstLine}/rows`, method: 'POST', headers: json, body: row }))
      rates.post[0].push(await rate({ url: `${baseUrl}/leads`, method: 'POST', headers, body: next }))
      rates.get[1].push(await rate({ url: `${floor.firstLine}/row`, method: 'GET' }))
      rates.get[0].push(await rate({ url: `${baseUrl}/leads/${id}`, method: 'GET', headers }))
    }
    return [
      { ...post, subject: rates.post[0], beside: rates.post[1], budget: 'at least 50%' },
      { ...get, subject: rates.get[0], beside: rates.get[1], budget: 'at least 50%' },
    ]
  } finally {
    await subject.stop()
    await floor.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
