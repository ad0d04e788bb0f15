/**
 * A webhook storm: a hundred endpoints, a fifth of them failing. Every healthy one must get every event at the
 * allowed rate.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { leadNumber, Service, type Account } from './service.js'

/** An organization may have at most ten endpoints (rule W1). */
const organizations = 10
const endpoints = 10
const poisonedOfTen = 2
const eventsEach = 60
/** Answer time of a healthy receiver. With this time, five attempts at once are needed for almost ten per second. */
const takesMs = 450

interface Seen {
  events: Set<string>
  open: number
  mostOpen: number
  /** Start of each request in milliseconds. */
  at: number[]
}

export interface StormResult {
  healthy: number
  poisoned: number
  /** Healthy endpoints that got every event. */
  complete: number
  mostAtOnce: number
  mostInASecond: number
  seconds: number
}

/** A healthy receiver answers after a moment. A failing one hangs, resets the connection, or drips. */
async function receiver(poison: number | null, seen: Map<string, Seen>): Promise<Server> {
  const server = createServer((request, response) => {
    const one = seen.get(request.url ?? '')
    if (poison === 0) return
    if (poison === 1) return void request.socket.resetAndDestroy()
    if (poison === 2) {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 500)
      return void response.once('close', () => clearInterval(drip))
    }
    if (!one) return
    one.at.push(performance.now())
    one.mostOpen = Math.max(one.mostOpen, ++one.open)
    one.events.add(String(request.headers['service-event-id']))
    request.resume()
    setTimeout(() => {
      one.open--
      response.end()
    }, takesMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return server
}

const mostInASecond = (at: readonly number[]): number => {
  let [from, most] = [0, 0]
  for (const [n, moment] of at.entries()) {
    while (moment - (at[from] ?? 0) >= 1_000) from++
    most = Math.max(most, n - from + 1)
  }
  return most
}

export async function storm(data: string): Promise<StormResult> {
  const service = await Service.start(data, 'live')
  const seen = new Map<string, Seen>()
  const servers = await Promise.all([null, 0, 1, 2].map((poison) => receiver(poison, seen)))
  try {
    const accounts: Account[] = []
    for (let n = 0; n < organizations; n++) accounts.push(await subscribed(service, n, servers, seen))
    const start = performance.now()
    await Promise.all(
      accounts.map(({ secret, campaign: campaign_id }, n) => {
        const leads = Array.from({ length: eventsEach }, (_, event) => leadNumber(eventsEach * n + event))
        return service.api(secret, 'POST', '/leads/batch', { campaign_id, leads })
      }),
    )
    const all = [...seen.values()]
    const complete = () => all.filter(({ events }) => events.size === eventsEach).length
    while (complete() < all.length && performance.now() - start < 60_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    return {
      healthy: all.length,
      poisoned: organizations * poisonedOfTen,
      complete: complete(),
      mostAtOnce: Math.max(...all.map(({ mostOpen }) => mostOpen)),
      mostInASecond: Math.max(...all.map(({ at }) => mostInASecond(at))),
      seconds: (performance.now() - start) / 1_000,
    }
  } finally {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    await service.stop()
  }
}

/** Adds an organization with endpoints, some of which fail, each in a different way. */
async function subscribed(
  service: Service,
  n: number,
  servers: readonly Server[],
  seen: Map<string, Seen>,
): Promise<Account> {
  const account = await service.newAccount(`Storm ${n}`)
  for (let k = 0; k < endpoints; k++) {
    const isPoisoned = k < poisonedOfTen
    const { port } = servers[isPoisoned ? 1 + ((n * poisonedOfTen + k) % 3) : 0]!.address() as AddressInfo
    const path = `/${n}/${k}`
    if (!isPoisoned) seen.set(path, { events: new Set(), open: 0, mostOpen: 0, at: [] })
    await service.api(account.secret, 'POST', '/webhook_endpoints', {
      url: `http://127.0.0.1:${port}${path}`,
      events: ['lead.created'],
    })
  }
  return account
}
