/** Couriers and receivers for tests of outgoing requests. Each is closed after the test that opened it. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEachTest } from './ends.js'
import { systemClock } from '../../simulator/kernel/system-clock.js'
import {
  Courier,
  type CourierOptions,
  type SendOutcome,
  type WebhookRequest,
} from '../../simulator/webhooks/sender/courier.js'
import { deliveryHeaders } from '../../src/webhooks/headers.js'
import { Receiver, type Answer } from './deliveries/receiver.js'

/** Answer time of couriers that are expected to give up. */
export const answerWithinMs = 400
export const secret = 'whsec_courier_0123456789'
export const body = Buffer.from(JSON.stringify({ id: 'evt_1', name: 'Zoë' }))
const headers = deliveryHeaders({ eventId: 'evt_1', eventType: 'lead.created', deliveryId: 'd1', attempt: 1 })

const opened: { close(): Promise<unknown> }[] = []
afterEachTest(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

/** Closes it after the test. */
export function closing<T extends { close(): Promise<unknown> }>(one: T): T {
  opened.push(one)
  return one
}

export const receiverWith = async (answer?: Answer) => closing(await Receiver.start(answer))

/** Creates a courier that may connect to loopback addresses. It does not give up on a busy machine. */
export const courierWith = (changes: Partial<CourierOptions> = {}) =>
  closing(new Courier({ machine: systemClock, allowLocal: true, answerWithinMs: 60_000, ...changes }))

/** Creates a courier that gives up soon. */
export const impatientCourier = (changes: Partial<CourierOptions> = {}) => courierWith({ answerWithinMs, ...changes })

export const parcelTo = (url: string, changes: Partial<WebhookRequest> = {}): WebhookRequest => ({
  url,
  headers,
  body,
  secrets: () => [secret],
  ...changes,
})

/** Makes one attempt and fails the test if nothing was sent. */
export async function deliver(
  url: string,
  courier: Courier = courierWith(),
  changes: Partial<WebhookRequest> = {},
): Promise<SendOutcome> {
  const outcome = await courier.send('lane', () => parcelTo(url, changes))
  if (outcome === null) throw new Error('nothing was sent')
  return outcome
}

export interface RawReceiver {
  url: string
  /** Open connections. */
  sockets: ReadonlySet<Socket>
  /** Stops listening. */
  close: () => Promise<unknown>
}

/** A TCP server with a handler for each connection. */
export async function rawReceiver(serve: (socket: Socket) => void): Promise<RawReceiver> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { close } = closing({
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  return { url: `http://127.0.0.1:${port}/`, sockets, close }
}

/** Resolves when the other side has closed every connection. */
export const gone = (sockets: ReadonlySet<Socket>) =>
  Promise.all([...sockets].map((socket) => new Promise<void>((resolve) => socket.on('close', () => resolve()))))
