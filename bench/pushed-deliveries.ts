/**
 * Measures a simulated day with an endpoint for all events, compared with no endpoint and with a bare loop of posts.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EventType } from '../src/contract/events.js'
import { startChild } from './child.js'
import { median, msOf, percent, perSecond, times, type Row } from './row.js'
import { Service } from './service.js'

/** The size of a typical day in development, and of a busy day that shows the rate. */
const days = { small: { leads: 100, lines: 10 }, busy: { leads: 470, lines: 30 } }

/** Each round measures the simulator and then the bare loops. */
const rounds = 3

const barePosts = fileURLToPath(new URL('bare-posts.ts', import.meta.url))

/** Stores the bodies it receives. */
class Receiver {
  readonly bodies: Buffer[] = []
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      this.bodies.push(Buffer.concat(chunks))
      response.end()
    })
  })

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** Milliseconds to simulate the day with its calls. Ten attempts per second of simulated time go to the endpoint. */
async function pushedDayMs(file: string, { leads, lines }: typeof days.small, url: string | null): Promise<number> {
  const service = await Service.start(file, 'paused', { limits: true })
  try {
    const { id, secret } = await service.account()
    await service.control('PATCH', `/organizations/${id}`, { requests_per_minute: 1_000_000 })
    const campaign = await service.control<{ id: string }>('POST', '/campaigns', {
      name: 'Bench',
      lines,
      consent_required: false,
    })
    if (url !== null) await service.api(secret, 'POST', '/webhook_endpoints', { url, events: EventType.options })
    await service.load(campaign.id, leads)
    return await msOf(() => service.control('POST', '/clock/advance', { by: '24h' }))
  } finally {
    await service.stop()
  }
}

export async function measurePushedDeliveries(folder: string): Promise<Row[]> {
  const receiver = new Receiver()
  try {
    const url = await receiver.open()
    const noneMs = await pushedDayMs(join(folder, 'day-without.db'), days.small, null)
    const dayMs = await pushedDayMs(join(folder, 'day.db'), days.small, url)
    receiver.bodies.splice(0)
    const file = join(folder, 'bodies.txt')
    const bareMs = async (atOnce: number) => {
      const { firstLine } = await startChild(['--import', 'tsx', barePosts, url, file, String(atOnce)])
      receiver.bodies.splice(0)
      return Number(firstLine)
    }
    const measured: { bodies: number; busyMs: number; oneMs: number; fiveMs: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const busyMs = await pushedDayMs(join(folder, `busy-day-${round}.db`), days.busy, url)
      const bodies = receiver.bodies.splice(0)
      writeFileSync(file, bodies.map((body) => `${body.toString()}\n`).join(''))
      measured.push({ bodies: bodies.length, busyMs, oneMs: await bareMs(1), fiveMs: await bareMs(5) })
    }
    const middle = <K extends keyof (typeof measured)[number]>(name: K) => median(measured.map((round) => round[name]))
    const rateOf = (name: 'oneMs' | 'fiveMs') => {
      const shares = measured.map((round) => round[name] / round.busyMs)
      const all = shares.map((share) => percent(share, 1)).join(', ')
      return { share: percent(median(shares), 1), all }
    }
    const [one, five] = [rateOf('oneMs'), rateOf('fiveMs')]
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
    const count = middle('bodies').toLocaleString('en-US')
    return [
      {
        what: `Webhooks of a pushed simulated day with ${days.busy.leads} leads in a file: ${count} deliveries to one endpoint, calls included`,
        beside: 'a bare loop that signs and posts the same bodies one after the other, each on a new connection',
        result: `${perSecond((1_000 * middle('bodies')) / middle('busyMs'))}; ${one.share} of its rate (rounds: ${one.all}); ${five.share} of a loop that sends five at a time`,
        budget: 'at least 50%',
      },
      {
        what: `A pushed simulated day with ${days.small.leads} leads and an endpoint for every event`,
        beside: 'the same day without an endpoint',
        result: `${seconds(dayMs)}; ${seconds(noneMs)} without; ${times(dayMs, noneMs)}`,
        budget: 'under 4 s',
      },
    ]
  } finally {
    receiver.close()
  }
}
