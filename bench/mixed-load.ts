/** Sends mixed requests as fast as the simulator answers, with a fast clock, and samples memory and latency. */
import { Agent, request } from 'undici'
import { leadNumber, type Service } from './service.js'

/** The kinds of request, with their relative frequency. */
const shares: Record<string, number> = { add: 4, batch: 1, read: 6, list: 3, patch: 3, dnc: 1, events: 3, advance: 1 }
const kinds = Object.entries(shares).flatMap(([kind, share]) => Array<string>(share).fill(kind))
const atOnce = 16
const sampleMs = 3_000

export interface Sample {
  second: number
  megabytes: number
  /** Requests per second. */
  rate: number
  medianMs: number
  p99Ms: number
}

export class MixedLoad {
  readonly #agent = new Agent({ connections: atOnce })
  readonly #ids: string[] = []
  #leads = 0
  #times: number[] = []
  failed = 0

  constructor(
    readonly service: Service,
    readonly client: { secret: string; campaigns: readonly string[] },
  ) {}

  async run(seconds: number): Promise<Sample[]> {
    const end = performance.now() + 1_000 * seconds
    const one = async (offset: number) => {
      for (let n = offset; performance.now() < end; n += 7) await this.#do(kinds[n % kinds.length] ?? 'read')
    }
    const samples: Sample[] = []
    const timer = setInterval(() => samples.push(this.#sample(samples.length + 1)), sampleMs)
    await Promise.all(Array.from({ length: atOnce }, (_, n) => one(3 * n)))
    clearInterval(timer)
    await this.#agent.close()
    return samples
  }

  #sample(n: number): Sample {
    const times = this.#times.splice(0).sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0
    const megabytes = this.service.memory().now
    const rate = (1_000 * times.length) / sampleMs
    return { second: (n * sampleMs) / 1_000, megabytes, rate, medianMs: at(0.5), p99Ms: at(0.99) }
  }

  async #do(kind: string): Promise<void> {
    const { campaigns } = this.client
    const campaign_id = campaigns[this.#leads % campaigns.length]
    const id = this.#ids[Math.floor(Math.random() * this.#ids.length)]
    const lead = () => leadNumber(this.#leads++)
    if (kind === 'add') this.#keep(await this.#api('POST', '/leads', { campaign_id, ...lead() }))
    else if (kind === 'batch')
      await this.#api('POST', '/leads/batch', { campaign_id, leads: Array.from({ length: 5 }, lead) })
    else if (kind === 'dnc') await this.#api('POST', '/dnc', { phone: `+1516${2_000_000 + this.#leads++}` })
    else if (kind === 'list') await this.#api('GET', '/leads?limit=100')
    else if (kind === 'events') await this.#api('GET', '/events?limit=100')
    else if (kind === 'advance') await this.#send('POST', `${this.service.url}/_sim/clock/advance`, {}, { by: '1s' })
    else if (id === undefined) return
    else if (kind === 'patch') await this.#api('PATCH', `/leads/${id}`, { name: `Person ${this.#leads}` })
    else await this.#api('GET', `/leads/${id}`)
  }

  #keep({ data }: { data?: { id?: string } }): void {
    if (!data?.id) return
    this.#ids.push(data.id)
    if (this.#ids.length > 10_000) this.#ids.splice(0, 5_000)
  }

  #api(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
    return this.#send(method, this.service.baseUrl + path, { authorization: `Bearer ${this.client.secret}` }, body)
  }

  async #send(method: 'GET' | 'POST' | 'PATCH', url: string, headers: Record<string, string>, body?: object) {
    const json = body && { 'content-type': 'application/json' }
    const start = performance.now()
    const sent = { method, headers: { ...headers, ...json }, body: body ? JSON.stringify(body) : null }
    const reply = await request(url, { ...sent, dispatcher: this.#agent })
    const words = (await reply.body.json()) as { data?: { id?: string } }
    this.#times.push(performance.now() - start)
    if (reply.statusCode >= 400) this.failed++
    return words
  }
}
