/** Keys and webhook secrets appear only in replies that create them or ask for them. */
import { request } from 'undici'
import { expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import { Follower } from '../support/programs/follower.js'
import { Receiver } from '../support/deliveries/receiver.js'
import { download } from '../support/download.js'
import { simulate, type Simulation } from '../support/simulate.js'

const canary = (kind: string) => `cs_${kind}_canary0${kind}`
const isTold = /canary0|whsec_\w{8}/

const world = {
  organizations: [
    {
      name: 'Acme',
      campaigns: [{ name: 'First', consent_required: false }],
      keys: (['live', 'test'] as const).map((mode) => ({
        key_id: `ck_${mode}_known`,
        secret: canary(mode),
        mode,
      })),
    },
  ],
}

/** Sends the secret wherever one can be put, on the way to every kind of refusal; the answers are given back. */
async function misuse(sim: Simulation, secrets: readonly string[]): Promise<string[]> {
  const { live } = sim
  const told: string[] = []
  for (const secret of secrets) {
    const wrong = Buffer.from(`ck_live_known:${secret}x`).toString('base64')
    const replies = [
      await live.get(`/leads/${secret}`),
      await live.get(`/${secret}`),
      await live.get(`/leads?status=${secret}`),
      await live.get(`/leads?starting_after=${secret}`),
      await live.post('/leads', { [secret]: secret }),
      await live.post('/leads', { campaign_id: secret, phone: secret }),
      await live.post('/dnc', { phone: secret }),
      await live.post('/exports', { exportType: secret }),
      await live.post('/webhook_endpoints', { url: `https://${secret}@10.0.0.1/`, events: [secret] }),
      await live.post('/dnc', {}, { 'idempotency-key': `${secret} ` + 'é' }),
      await live.send('POST', '/dnc', {
        raw: `{"${secret}":1,"${secret}":2}`,
        headers: { 'content-type': 'application/json' },
      }),
      await live.send('POST', '/dnc', { raw: `{"phone":${secret}`, headers: { 'content-type': 'application/json' } }),
      await live.send('GET', '/leads', { headers: { authorization: `Basic ${wrong}` } }),
      await live.send('GET', '/leads', { headers: { authorization: `Digest ${secret}` } }),
      await sim.ask('POST', `/_sim/snapshots/${secret}/restore`),
      await sim.ask('POST', '/_sim/texts', { from: secret, body: 'STOP' }),
      await sim.ask('PATCH', `/_sim/keys/${secret}`, {}),
      await sim.ask('POST', '/_sim/organizations', { name: 'x', time_zone: secret }),
    ]
    told.push(...replies.map(({ status, headers, body }) => JSON.stringify([status, headers, body])))
  }
  return told
}

it('no error, list, stream, file or metric contains a key or a webhook secret', async () => {
  const sim = await simulate({ world, allowLocalWebhooks: true })
  const receiver = await Receiver.start(() => ({ status: 500, body: 'no' }))
  const follower = await Follower.open(sim)
  const words = { url: `${receiver.url}/hook`, events: ['lead.created', 'call.completed'] }
  const { data: endpoint } = await sim.live.post<{ id: string; secret: string }>('/webhook_endpoints', words)
  const { data: rolled } = await sim.live.post<{ secret: string }>(`/webhook_endpoints/${endpoint.id}/roll_secret`, {})
  const secrets = [canary('live'), canary('test'), endpoint.secret, rolled.secret]

  const told = await misuse(sim, secrets)
  await sim.lead()
  await sim.control('POST', '/_sim/snapshots', { name: 'kept' })
  await sim.advance('25h')

  for (const path of [
    '/leads',
    '/calls',
    '/events',
    '/webhook_endpoints',
    `/webhook_endpoints/${endpoint.id}/deliveries`,
  ])
    told.push(JSON.stringify((await sim.live.get(path)).body))
  const { data: made } = await sim.live.post<{ download_url?: string }>('/exports', { exportType: 'leads' })
  told.push(JSON.stringify(made).replace(/signature=\w+/, ''), (await download(linkIn(made))).text)
  // `/_sim/world` shows keys on request; the streams have no end.
  const reads = Object.values(control).filter(
    ({ method, path }) => method === 'GET' && !/world|stream|pulse/.test(path),
  )
  for (const { path } of reads) told.push(JSON.stringify((await sim.ask('GET', path)).body))
  told.push(await (await request(`${sim.url}/openapi.json`)).body.text())
  told.push(...follower.messages.map((message) => JSON.stringify(message)))

  expect(follower.count).toBeGreaterThan(5)
  expect(told.filter((text) => isTold.test(text))).toEqual([])
  await receiver.close()
})

const linkIn = (made: object): string => /https?:[^"]+/.exec(JSON.stringify(made))?.[0] ?? ''
