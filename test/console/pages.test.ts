/** The console as people meet it: accessible, safe from the texts it shows, and back after a restart. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../simulator/index.js'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { hasBrowser } from '../support/browser.js'
import { ConsolePage, eventually, useBrowser } from '../support/console-page.js'
import { Receiver } from '../support/deliveries/receiver.js'
import { simulate } from '../support/simulate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

interface Finding {
  id: string
  nodes: { target: string[]; failureSummary?: string }[]
}

/** Findings of axe-core on the page, one line each. */
async function findings({ page }: Pick<ConsolePage, 'page'>): Promise<string[]> {
  await page.evaluate(axe.source)
  const violations = await page.evaluate<Finding[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations)',
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

/** A world in which every screen has something to show. */
async function fullWorld() {
  const receiver = await Receiver.start(() => ({ status: 500, body: 'no' }))
  const sim = await simulate({ allowLocalWebhooks: true })
  await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created', 'call.completed'] })
  const id = await sim.scripted(
    sim.phone(),
    { answer: 'person', talk_seconds: 40, outcome: 'interested' },
    { name: 'Ann' },
  )
  await sim.advance('10m')
  await sim.changeCampaign({ lines: 2 })
  for (let i = 0; i < 4; i++) await sim.scripted(sim.phone(), { answer: 'person', ring_seconds: 5, talk_seconds: 900 })
  await sim.advance('1m')
  await sim.control('POST', '/_sim/faults', { path: '/calls', status: 503 })
  await sim.live.get('/calls')
  await sim.control('POST', '/_sim/faults', { path: '/calls', status: 503 })
  await sim.control('POST', '/_sim/snapshots', { name: 'kept' })
  await sim.control('POST', '/_sim/dnc', { phones: ['+12122340177'], source: 'manual' })
  const [endpoint] = await sim.control<WebhookEndpoint[]>('GET', '/_sim/webhook_endpoints')
  const [delivery] = await sim.control<Delivery[]>('GET', `/_sim/webhook_endpoints/${endpoint?.id}/deliveries`)
  const paths = ['', 'leads', `leads/${id}`, 'webhooks', `webhooks/${delivery?.id}`, 'requests', 'world', 'figures']
  return { sim, receiver, paths }
}

describe.skipIf(!hasBrowser)('the console', () => {
  const browser = useBrowser()

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 360],
    ['dark', 360],
  ] as const)(
    'has no finding of axe on any screen in the %s scheme at %i px, and needs no sideways scrolling',
    async (colorScheme, width) => {
      const { sim, receiver, paths } = await fullWorld()
      const console = await ConsolePage.open(browser(), sim, '', { colorScheme, width })
      for (const path of paths) {
        await console.goTo(`${sim.url}/console/${path}`)
        for (const summary of await console.page.locator('main summary').all()) await summary.click()
        await console.isRead()
        expect([path, await findings(console)]).toEqual([path, []])
        const isTooWide = await console.page.evaluate('document.documentElement.scrollWidth > innerWidth')
        expect([path, isTooWide]).toEqual([path, false])
      }
      await console.goTo(`${sim.url}/console/`)
      await console.press('Until')
      expect(await findings(console)).toEqual([])
      expect(console.problems).toEqual([])
      await receiver.close()
    },
  )

  it('says what to do first where there is nothing', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim)
    for (const [path, text] of [
      ['', 'There is no lead yet.'],
      ['leads', 'There is no lead yet.'],
      ['webhooks', 'There is no webhook endpoint yet.'],
      ['requests', 'No API request was received yet.'],
      ['figures', 'Nothing was counted in this time.'],
    ] as const) {
      await console.goTo(`${sim.url}/console/${path}`)
      await console.page.getByText(text).waitFor()
      expect([path, await findings(console)]).toEqual([path, []])
    }
  })

  it('leads a newcomer from a lead to a delivered webhook and its copy', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    const console = await ConsolePage.open(browser(), sim)
    await console.follow('Webhooks')
    await console.fill('Add endpoint', { URL: receiver.url })
    await console.follow('Leads')
    await console.fill('Add lead', { Name: 'First Lead', Phone: '+12122340155' })
    await console.page.getByRole('heading', { name: /First Lead/ }).waitFor()
    await console.fill('Script calls', { 'Outcome, if a person answers': 'interested' })
    await console.fill('Until', { Event: 'lead.interested' })
    await console.press('+15 m')
    await console.page.getByText('interested').first().waitFor()
    await console.page.getByRole('link', { name: 'delivery' }).first().click()
    await console.press('Resend')
    await receiver.waitFor(3)
    expect(receiver.requests.map(({ headers }) => headers['service-event-type']).sort()).toContain('lead.interested')
    expect(console.problems).toEqual([])
    await receiver.close()
  })

  it('works with the keyboard only', async () => {
    const sim = await simulate()
    const { page } = await ConsolePage.open(browser(), sim)
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    for (let i = 0; i < 30 && (await focused()) !== '+1 h'; i++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await eventually(() => sim.now).toBe('2026-10-01T16:00:00.000Z')
    await page.getByRole('link', { name: 'World' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('API keys').waitFor()
    await page.getByRole('button', { name: 'Reset' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Reset')
  })

  it('shows text from outside as text', async () => {
    const sim = await simulate()
    const name = '<img src=x onerror="document.title=1"> javascript:alert(1)'
    const { id } = await sim.lead({ name, fields: { site: 'javascript:alert(1)', tag: '<b>bold</b>' } })
    await sim.live.get('/leads?external_id=<script>alert(1)</script>')
    const console = await ConsolePage.open(browser(), sim, `leads/${id}`)
    await console.page.getByRole('heading', { name: /<img src=x/ }).waitFor()
    expect(await console.page.locator('main img, main b, main script, a[href^="javascript"]').count()).toBe(0)
    await console.follow('Requests')
    expect(await console.page.locator('main script').count()).toBe(0)
    expect(console.problems).toEqual([])
  })

  it('is open to no page of another origin', async () => {
    const sim = await simulate()
    const attacker = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>hi'))
    attacker.listen(0, '127.0.0.1')
    await once(attacker, 'listening')
    const page = await browser().newPage()
    await page.goto(`http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`)
    const tried = await page.evaluate(async (url) => {
      const results: string[] = []
      const attempts: [string, RequestInit][] = [
        ['/_sim/world', {}],
        ['/_sim/pulse', {}],
        ['/_sim/leads', {}],
        ['/console/app.js', {}],
        ['/_sim/clock/advance', { method: 'POST', body: '{"by":"1h"}', headers: { 'Content-Type': 'text/plain' } }],
        ['/_sim/reset', { method: 'POST', body: '{}', mode: 'no-cors' }],
        ['/_sim/clock/advance', { method: 'DELETE' }],
      ]
      for (const [path, init] of attempts) {
        try {
          const response = await fetch(url + path, init)
          results.push(`${path} ${response.type === 'opaque' ? 'opaque' : await response.text()}`)
        } catch {
          results.push(`${path} failed`)
        }
      }
      return results
    }, sim.url)
    expect(tried.filter((one) => !/ (failed|opaque)$/.test(one))).toEqual([])
    expect(sim.now).toBe('2026-10-01T15:00:00.000Z')
    await page.close()
    attacker.close()
  })

  it('comes back after a restart of the simulator', async () => {
    const data = join(temporaryFolder(), 'world.db')
    const options = { data, now: '2026-10-01T15:00:00Z', paused: true }
    const first = await startSimulator(options)
    const { port } = new URL(first.url)
    const console = await ConsolePage.open(browser(), first)
    await first.close()
    await console.page.getByText('The simulator does not answer.', { exact: false }).first().waitFor()
    expect(await findings(console)).toEqual([])
    const second = await startSimulator({ ...options, port: Number(port) })
    await console.page.getByText('not connected').waitFor({ state: 'detached' })
    await console.press('+1 m')
    await eventually(() => second.now()).toBe('2026-10-01T15:01:00.000Z')
    await second.close()
  })

  it('asks for the control token where other machines can connect, and keeps it out of addresses', async () => {
    const simulator = await startSimulator({
      host: '0.0.0.0',
      controlToken: 'secret-token',
      paused: true,
      now: '2026-10-01T15:00:00Z',
    })
    const page = await browser().newPage()
    const urls: string[] = []
    page.on('request', (sent) => urls.push(sent.url()))
    await page.goto(`${simulator.url}/console/`)
    await page.getByLabel('Control token').waitFor()
    expect(await findings({ page })).toEqual([])
    await page.getByLabel('Control token').fill('secret-token')
    await page.getByRole('button', { name: 'Open the console' }).click()
    await page.getByRole('button', { name: '+1 m', exact: true }).click()
    await eventually(() => simulator.now()).toBe('2026-10-01T15:01:00.000Z')
    expect(urls.filter((url) => url.includes('secret-token'))).toEqual([])
    await page.close()
    await simulator.close()
  })
})
