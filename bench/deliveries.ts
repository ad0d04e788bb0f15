/**
 * Measures the time from an event to its healthy receiver, first with no other endpoints and then while others hang.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { median, times, type Row } from './row.js'
import { leadNumber, Service, type Account } from './service.js'

const events = 60
/** An organization may have at most ten endpoints (rule W1). */
const poisonedOrganizations = 2

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()))

/** A healthy and a hanging server, and the time of an event to the healthy one. */
class Ways {
  #leads = 0
  #arrived: () => void = () => undefined
  readonly healthy = createServer((request, response) => {
    this.#arrived()
    request.resume()
    response.end()
  })
  /** Accepts requests and never answers. */
  readonly hanging = createServer(() => undefined)

  constructor(readonly service: Service) {}

  async open(): Promise<void> {
    await Promise.all([listening(this.healthy), listening(this.hanging)])
  }

  subscribe({ secret }: Account, server: Server): Promise<unknown> {
    const url = `http://127.0.0.1:${portOf(server)}/`
    return this.service.api(secret, 'POST', '/webhook_endpoints', { url, events: ['lead.created'] })
  }

  add({ secret, campaign: campaign_id }: Account): Promise<unknown> {
    return this.service.api(secret, 'POST', '/leads', { campaign_id, ...leadNumber(this.#leads++) })
  }

  /** Milliseconds from the request that causes the event to the first byte at the healthy receiver. */
  async latency(account: Account): Promise<number> {
    const arrived = new Promise<number>((resolve) => {
      this.#arrived = () => resolve(performance.now())
    })
    const start = performance.now()
    await this.add(account)
    return (await arrived) - start
  }

  async medianLatency(account: Account): Promise<number> {
    const all: number[] = []
    for (let i = 0; i < events; i++) {
      all.push(await this.latency(account))
      // An endpoint gets at most ten attempts per second (rule W7). Waiting for a slot must not count.
      await new Promise((resolve) => setTimeout(resolve, 110))
    }
    return median(all)
  }

  close(): void {
    for (const server of [this.healthy, this.hanging]) {
      server.closeAllConnections()
      server.close()
    }
  }
}

export async function measureDeliveries(data: string): Promise<Row[]> {
  const service = await Service.start(data, 'live')
  const ways = new Ways(service)
  try {
    await ways.open()
    const well = await service.newAccount('Bench')
    await ways.subscribe(well, ways.healthy)
    const alone = await ways.medianLatency(well)
    for (let i = 0; i < poisonedOrganizations; i++) {
      const ill = await service.newAccount('Bench')
      for (let k = 0; k < 10; k++) await ways.subscribe(ill, ways.hanging)
      for (let k = 0; k < 50; k++) await ways.add(ill)
    }
    const among = await ways.medianLatency(well)
    return [
      {
        what: 'Event to first byte at a healthy receiver while 20 endpoints hang, 1,000 deliveries behind them',
        beside: 'the same with none hanging',
        result: `${times(among, alone)} (${alone.toFixed(1)} ms when none hangs, from the request that makes the event)`,
        budget: 'within 1.5 times',
      },
    ]
  } finally {
    ways.close()
    await service.stop()
  }
}
