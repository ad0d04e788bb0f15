/** Measures the way of an event to a healthy receiver, alone and while the endpoints of others hang. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { median, times, type Row } from './row.js'
import { leadNumber, Service } from './service.js'

const events = 60
/** Ten endpoints are all an organization may have. */
const poisonedOrganizations = 2

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve()))

interface Organization {
  campaign: string
  secret: string
}

class Storm {
  #leads = 0
  #arrived: () => void = () => undefined
  readonly healthy = createServer((request, response) => {
    this.#arrived()
    request.resume()
    response.end()
  })
  /** Takes requests and never answers. */
  readonly hanging = createServer(() => undefined)

  constructor(readonly service: Service) {}

  async open(): Promise<void> {
    await Promise.all([listening(this.healthy), listening(this.hanging)])
  }

  async organization(): Promise<Organization> {
    const made = await this.service.control<{ id: string }>('POST', '/organizations', { name: 'Bench' })
    const { organizations } = await this.service.control<{
      organizations: { id: string; campaigns: { id: string }[]; keys: { mode: string; secret: string }[] }[]
    }>('GET', '/world')
    const { campaigns, keys } = organizations.find(({ id }) => id === made.id)!
    const campaign = campaigns[0]!.id
    await this.service.control('PATCH', `/campaigns/${campaign}`, { status: 'paused', consent_required: false })
    return { campaign, secret: keys.find(({ mode }) => mode === 'live')!.secret }
  }

  subscribe({ secret }: Organization, server: Server): Promise<unknown> {
    const url = `http://127.0.0.1:${portOf(server)}/`
    return this.service.api(secret, 'POST', '/webhook_endpoints', { url, events: ['lead.created'] })
  }

  add({ secret, campaign: campaign_id }: Organization): Promise<unknown> {
    return this.service.api(secret, 'POST', '/leads', { campaign_id, ...leadNumber(this.#leads++) })
  }

  /** Milliseconds from the request that makes the event to the first byte at the healthy receiver. */
  async latency(organization: Organization): Promise<number> {
    const arrived = new Promise<number>((resolve) => {
      this.#arrived = () => resolve(performance.now())
    })
    const start = performance.now()
    await this.add(organization)
    return (await arrived) - start
  }

  async medianLatency(organization: Organization): Promise<number> {
    const all: number[] = []
    for (let i = 0; i < events; i++) {
      all.push(await this.latency(organization))
      // Ten in any second go to one endpoint: what waits for its turn says nothing of the way.
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
  const storm = new Storm(service)
  try {
    await storm.open()
    const well = await storm.organization()
    await storm.subscribe(well, storm.healthy)
    const alone = await storm.medianLatency(well)
    for (let i = 0; i < poisonedOrganizations; i++) {
      const ill = await storm.organization()
      for (let k = 0; k < 10; k++) await storm.subscribe(ill, storm.hanging)
      for (let k = 0; k < 50; k++) await storm.add(ill)
    }
    const among = await storm.medianLatency(well)
    return [
      {
        what: 'Event to first byte at a healthy receiver while 20 endpoints hang, 1,000 deliveries behind them',
        beside: 'the same with none hanging',
        result: `${times(among, alone)} (${alone.toFixed(1)} ms alone, from the request that makes the event)`,
        budget: 'within 1.5 times',
      },
    ]
  } finally {
    storm.close()
    await service.stop()
  }
}
