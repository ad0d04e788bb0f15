/**
 * Runs a simulator on a file, sends itself writing requests, several at a time, and closes it. Arguments: the file;
 * the database's synchronous setting, or `as asked` for the store's own; the number of requests; any fourth argument
 * to advance time meanwhile.
 */
import { Database } from '../../../simulator/storage/driver.js'
import { setImmediate } from 'node:timers/promises'
import { request } from 'undici'
import { startSimulator } from '../../../simulator/index.js'

const [data = '', synchronous = 'as asked', count = '0', push] = process.argv.slice(2)

const pragma = Database.prototype.pragma
Database.prototype.pragma = function (source, options) {
  const asked =
    synchronous === 'as asked' ? source : source.replace(/^synchronous = .*/, `synchronous = ${synchronous}`)
  return pragma.call(this, asked, options)
}

const simulator = await startSimulator({
  data,
  paused: true,
  now: '2026-10-01T15:00:00Z',
  limits: false,
  allowLocalWebhooks: true,
})
const { campaigns, keys } = simulator.describe()
const authorization = `Bearer ${keys.find(({ mode }) => mode === 'live')?.secret}`

async function post(path: string, body: object, name?: string): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json', ...(name && { 'idempotency-key': name }) }
  const reply = await request(simulator.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await reply.body.text()
  if (reply.statusCode >= 300) throw new Error(text)
}

// Nothing listens on this port: every delivery fails and waits for its next attempt.
await post('/webhook_endpoints', { url: 'http://127.0.0.1:9/', events: ['lead.created', 'call.started'] })
let sent = 0
const send = async () => {
  while (sent < Number(count)) {
    const n = sent++
    const phone = `+1646${2_010_000 + n}`
    await post('/leads', { campaign_id: campaigns[0]?.id, phone, external_id: `lead-${n}` }, `name-${n}`)
  }
}
const pushOn = async () => {
  // With nothing due, an advance would end before any request runs.
  for (; push && sent < Number(count); await setImmediate()) await simulator.advance('20s')
}
await Promise.all([send(), send(), send(), pushOn()])
await simulator.advance('1m')
await simulator.close()
