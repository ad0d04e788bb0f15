/**
 * Sends requests whose sender disconnects before the answer. All their slots for simultaneous requests must become
 * free again.
 */
import { connect } from 'node:net'
import { leadNumber, type Service } from './service.js'

const atOnce = 40
const places = 20

interface Client {
  secret: string
  campaign: string
}

/** A key with no limit except on simultaneous requests. */
async function keyWithPlaces(service: Service): Promise<Client> {
  const { id, campaign } = await service.account()
  const wide = { requests_per_minute: 1_000_000, burst: 1_000_000, leads_per_minute: 1_000_000 }
  await service.control('PATCH', `/organizations/${id}`, { requests_per_minute: wide.requests_per_minute })
  await service.control('PATCH', `/campaigns/${campaign}`, { consent_required: false })
  const key = { mode: 'live', limits: { ...wide, concurrent_requests: places } }
  const { secret } = await service.control<{ secret: string }>('POST', '/keys', key)
  return { secret, campaign }
}

/** Aborts a number of requests, then counts the free slots for simultaneous requests. */
export async function abortMany(service: Service, count: number): Promise<{ free: number; places: number }> {
  const { port } = new URL(service.url)
  const client = await keyWithPlaces(service)
  let sent = 0
  const some = async () => {
    while (sent < count) await hangUp(Number(port), requestOf(client, sent++))
  }
  await Promise.all(Array.from({ length: atOnce }, some))
  // Delayed by a fault, so that all of them run at the same time.
  await service.control('POST', '/faults', { latency_ms: 500, count: places, path: '/campaigns' })
  const statuses = await Promise.all(
    Array.from({ length: places }, () =>
      fetch(`${service.baseUrl}/campaigns`, { headers: { authorization: `Bearer ${client.secret}` } }).then(
        async (reply) => {
          await reply.text()
          return reply.status
        },
      ),
    ),
  )
  return { free: statuses.filter((status) => status === 200).length, places }
}

function requestOf({ secret, campaign: campaign_id }: Client, n: number): string {
  const body = JSON.stringify({ campaign_id, ...leadNumber(2_000_000 + n) })
  const whole = `POST /api/v1/external/leads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  // Some end within the body, some within the headers, some are complete.
  return [whole, whole.slice(0, -20), whole.slice(0, 90)][n % 3] ?? whole
}

function hangUp(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(text, () => setImmediate(() => socket.resetAndDestroy())),
    )
    socket.once('error', () => undefined)
    socket.once('close', () => resolve())
  })
}
