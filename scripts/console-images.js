// Takes the pictures of the console for the documents. Usage: npm run docs:console
import { createServer } from 'node:http'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startSimulator } from '../dist/simulator/index.js'
import { startBrowser } from '../test/support/browser.ts'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'images')
mkdirSync(folder, { recursive: true })

const receiver = createServer((request, response) => {
  const isInterested = request.headers['service-event-type'] === 'lead.interested'
  request.resume().on('end', () => response.writeHead(isInterested ? 500 : 204).end())
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')

const simulator = await startSimulator({
  seed: 1,
  now: '2026-10-01T15:00:00Z',
  paused: true,
  limits: false,
  allowLocalWebhooks: true,
})

async function control(method, path, body) {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${simulator.url}/_sim${path}`, { method, headers, body: body && JSON.stringify(body) })
  return (await reply.json()).data
}

const names = ['Ann Example', 'Bob Stone', 'Cem Aydin', 'Dora Vale', 'Eli Marsh', 'Fay Lund', 'Gus Hart', 'Hana Mori']
const areas = ['212', '646', '312', '415']
const { organizations } = await control('GET', '/world')
const campaign_id = organizations[0].campaigns[0].id
const url = `http://127.0.0.1:${receiver.address().port}/hooks`
await control('POST', '/webhook_endpoints', { url, events: ['call.completed', 'lead.interested'] })
const leads = Array.from({ length: 48 }, (_, i) => ({
  name: i < names.length ? names[i] : `${names[i % names.length]} ${Math.floor(i / names.length) + 1}`,
  phone: `+1${areas[i % areas.length]}234${2_000 + i}`,
}))
const interested = { answer: 'person', ring_seconds: 8, talk_seconds: 95, outcome: 'interested' }
await control('POST', '/scripts', { phone: leads[0].phone, calls: [interested] })
const { ids } = await control('POST', '/leads', { campaign_id, mode: 'live', leads })
await control('POST', '/clock/advance', { by: '4m' })
await control('POST', '/clock/advance', { by: '20s' })
const [endpoint] = await control('GET', '/webhook_endpoints')
const deliveries = await control('GET', `/webhook_endpoints/${endpoint.id}/deliveries?status=failed`)

const pages = [
  ['console-now', '', 'light'],
  ['console-lead', `leads/${ids[0]}`, 'light'],
  ['console-webhooks', `webhooks/${deliveries[0].id}`, 'dark'],
]
const browser = await startBrowser()
try {
  for (const [name, path, colorScheme] of pages) {
    const page = await browser.newPage({ viewport: { width: 1_180, height: 720 }, colorScheme })
    await page.goto(`${simulator.url}/console/${path}`)
    await page.locator('main section').first().waitFor()
    for (const reading of await page.locator('.reading').all()) await reading.waitFor({ state: 'detached' })
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
    await page.close()
  }
} finally {
  await browser.close()
  await simulator.close()
  receiver.close()
}
