/** A POST without a body, as HTTP clients send it: with any Content-Type, Content-Length 0 or no chunk at all. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { simulate, type Simulation } from '../support/simulate.js'

/** The status of one raw POST. */
async function post(sim: Simulation, url: string, headers: readonly string[], body = ''): Promise<string> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const key = sim.live.key.secret
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    'Connection: close',
  ]
  socket.end(`${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`)
  return (await text(socket)).slice('HTTP/1.1 '.length).slice(0, 3)
}

const form = 'Content-Type: application/x-www-form-urlencoded'
const ways: [client: string, headers: string[], body?: string][] = [
  ['axios.post(url), wget --post-data, urllib with data=b""', [form, 'Content-Length: 0']],
  ['fetch with an empty text', ['Content-Type: text/plain;charset=UTF-8', 'Content-Length: 0']],
  ['a JSON client', ['Content-Type: application/json', 'Content-Length: 0']],
  ['a client of another charset', ['Content-Type: application/json; charset=latin1', 'Content-Length: 0']],
  ['an empty chunked form', [form, 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['an empty chunked body without a type', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a bare request', []],
]

describe('a POST without a body', () => {
  it.each(ways)('of %s is taken by every endpoint that needs none', async (_client, headers, body = '') => {
    const sim = await simulate({ allowLocalWebhooks: true })
    const lead = await sim.lead()
    const hook = { url: 'http://127.0.0.1:9/', events: ['lead.created'] }
    const { data: endpoint } = await sim.live.post<WebhookEndpoint>('/webhook_endpoints', hook)
    await sim.lead()
    const { data: deliveries } = await sim.live.get<{ id: string }[]>(`/webhook_endpoints/${endpoint.id}/deliveries`)
    const hooks = `${sim.baseUrl}/webhook_endpoints/${endpoint.id}`
    const urls = [
      `${sim.baseUrl}/campaigns/${sim.campaignId}/pause`,
      `${sim.baseUrl}/campaigns/${sim.campaignId}/start`,
      `${sim.baseUrl}/leads/${lead.id}/opt_out`,
      `${hooks}/deliveries/${deliveries[0]?.id}/resend`,
      `${hooks}/resume`,
      `${hooks}/roll_secret`,
      `${sim.url}/_sim/leads/${lead.id}/take_out`,
      `${sim.url}/_sim/reset`,
    ]
    for (const url of urls) expect(await post(sim, url, headers, body), url).toMatch(/^20[02]$/)
  })

  it('that has bytes of another type is refused', async () => {
    const sim = await simulate()
    const url = `${sim.baseUrl}/campaigns/${sim.campaignId}/pause`
    for (const type of [form, 'Content-Type: text/plain', 'Content-Type: nothing', 'X-None: 1'])
      expect(await post(sim, url, [type, 'Content-Length: 2'], '{}'), type).toBe('400')
  })
})
