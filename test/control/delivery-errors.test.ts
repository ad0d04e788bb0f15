/** Why a webhook attempt failed, as the control plane tells it. */
import { expect, it } from 'vitest'
import type { SimulatedDelivery } from '../../src/contract/control/records.js'
import { rawReceiver } from '../support/dispatch.js'
import { simulate } from '../support/simulate.js'

/** The delivery of one event to a receiver that does this with each connection. */
async function deliveryTo(url: string, webhookTimeoutMs = 10_000) {
  const sim = await simulate({ allowLocalWebhooks: true, webhookTimeoutMs })
  await sim.changeCampaign({ lines: 0 })
  const endpoint = (await sim.live.post<{ id: string }>('/webhook_endpoints', { url, events: ['lead.created'] })).data
  await sim.lead()
  await sim.advance('1s')
  const [delivery] = await sim.control<SimulatedDelivery[]>('GET', '/_sim/deliveries')
  const [inApi] = (await sim.live.get<object[]>(`/webhook_endpoints/${endpoint.id}/deliveries`)).data
  return { delivery, inApi }
}

const says = (bytes: string) => rawReceiver((socket) => void socket.once('data', () => socket.write(bytes)))
const failed = (error: string) => ({ status: 'failed', response_status: null, error, fault: null })

it.each([
  ['not_http', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['too_large', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
])('an answer that is %s is told as such, and the API shows no more than it always does', async (error, bytes) => {
  const { delivery, inApi } = await deliveryTo((await says(bytes)).url)
  expect(delivery).toMatchObject(failed(error))
  const { error: _error, fault: _fault, ...rest } = delivery ?? ({} as SimulatedDelivery)
  expect(inApi).toEqual(rest)
})

it('a port where nothing listens is refused', async () => {
  const { url, close } = await rawReceiver(() => undefined)
  await close()
  expect((await deliveryTo(url)).delivery).toMatchObject(failed('refused'))
})

it('a receiver without TLS is told as tls', async () => {
  const { url } = await says('HTTP/1.1 400 Bad Request\r\n\r\n')
  expect((await deliveryTo(url.replace('http:', 'https:'))).delivery).toMatchObject(failed('tls'))
})

it('a connection that is reset is a network_error', async () => {
  const { url } = await rawReceiver((socket) => void socket.once('data', () => socket.resetAndDestroy()))
  expect((await deliveryTo(url)).delivery).toMatchObject(failed('network_error'))
})

it('a receiver that hangs is a timeout, after the time that was set', async () => {
  const { url } = await rawReceiver(() => undefined)
  const { delivery } = await deliveryTo(url, 50)
  expect(delivery).toMatchObject(failed('timeout'))
})

it('an answer is no error, however it fails', async () => {
  const { url } = await says('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n')
  expect((await deliveryTo(url)).delivery).toMatchObject({ response_status: 500, error: null })
})

it.each([0, -1, 3_600_001, NaN])('a webhook timeout of %d milliseconds is refused', async (webhookTimeoutMs) => {
  await expect(simulate({ webhookTimeoutMs })).rejects.toThrow(RangeError)
})
