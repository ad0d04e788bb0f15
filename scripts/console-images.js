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

/** Whether the receiver answers one event type with an error. */
let isFailing = true
const receiver = createServer((request, response) => {
  const isInterested = isFailing && request.headers['service-event-type'] === 'lead.interested'
  request.resume().on('end', () => response.writeHead(isInterested ? 500 : 204).end())
})
// The port is shown in the pictures.
receiver.listen(3_000, '127.0.0.1')
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

const browser = await startBrowser()

/** Opens a screen and waits until it has read its data. */
async function open(url, { colorScheme = 'light', height = 720, width = 1_180 } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme })
  await page.goto(url)
  await isRead(page)
  return page
}

async function isRead(page) {
  await page.locator('main section').first().waitFor()
  for (const reading of await page.locator('.reading').all()) await reading.waitFor({ state: 'detached' })
}

const take = (page, name) => page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })

/** The first steps of a newcomer, from an empty simulator to a webhook that is sent again. */
async function takeWalk() {
  const empty = await startSimulator({ seed: 1, now: '2026-10-01T15:00:00Z', paused: true, allowLocalWebhooks: true })
  const page = await open(`${empty.url}/console/webhooks`, { width: 960, height: 600 })
  const button = (name, within = page) => within.getByRole('button', { name, exact: true }).first()
  const dialog = page.getByRole('dialog')
  const follow = (name) => page.getByRole('link', { name, exact: true }).first().click()
  const send = async (name, picture) => {
    if (picture) await take(page, picture)
    await button(name, dialog).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await button('Add endpoint').click()
  await page.getByLabel('URL').fill(url)
  await send('Add endpoint', 'console-walk-1')
  await follow('Leads')
  await button('Add lead').click()
  await send('Add lead', 'console-walk-2')
  await page.getByRole('heading', { name: /Ann Example/ }).waitFor()
  await button('Script calls').click()
  await send('Script calls', 'console-walk-3')
  await button('Until').click()
  await dialog.getByLabel('Event', { exact: true }).selectOption('lead.interested')
  await send('Until')
  await button('+1 m').click()
  const delivered = page.locator('.story li', { hasText: 'lead.interested to' })
  await delivered.getByText('sent').waitFor()
  await page.setViewportSize({ width: 960, height: 760 })
  await take(page, 'console-walk-4')
  await delivered.getByRole('link').click()
  await button('Resend').click()
  await page.getByText('The event is on its way again.').waitFor()
  await isRead(page)
  await page.locator('.tries .green').waitFor()
  await take(page, 'console-walk-5')
  await page.close()
  await empty.close()
}

try {
  for (const [name, path, colorScheme] of [
    ['console-now', '', 'light'],
    ['console-lead', `leads/${ids[0]}`, 'light'],
    ['console-webhooks', `webhooks/${deliveries[0].id}`, 'dark'],
  ]) {
    const page = await open(`${simulator.url}/console/${path}`, { colorScheme })
    await take(page, name)
    await page.close()
  }
  isFailing = false
  await takeWalk()
} finally {
  await browser.close()
  await simulator.close()
  receiver.close()
}
