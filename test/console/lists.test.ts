/** Lists of the console: filters, pages and links, and the names by which people and programs find its parts. */
import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.js'
import { ConsolePage, eventually, useBrowser } from '../support/console-page.js'
import { Receiver } from '../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../support/simulate.js'

const screens = ['Now', 'Leads', 'Webhooks', 'Requests', 'World', 'Figures']

/** Names of the buttons on each screen. They are part of the product: tests and screen readers use them. */
const buttons = {
  '': ['+1 m', '+15 m', '+1 h', '+1 d', 'Next event', 'Until', 'Resume', 'Go there', 'live', 'test'],
  lead: ['Take out', 'Put back', 'Set next call', 'Opt out', 'STOP text', 'Inbound call', 'Script calls', 'Copy id'],
  delivery: ['Resend', 'Copy as curl', 'Verify snippet', 'Add endpoint', 'Send sample', 'Delete endpoint'],
  requests: ['Copy as curl', 'Copy as svc', 'Add fault', 'Remove'],
  world: ['Save snapshot', 'Restore', 'Reset', 'Remove', 'Add campaign', 'Add key', 'Add number', 'Fork', 'Add world'],
}

/** Loads leads in one call. The last one is the newest. */
async function load(sim: Simulation, leads: readonly object[]): Promise<string[]> {
  const body = { campaign_id: sim.campaignId, leads }
  return (await sim.control<{ ids: string[] }>('POST', '/_sim/leads', body)).ids
}

describe.skipIf(!hasBrowser)('the names in the console', () => {
  const browser = useBrowser()

  it('are those that people and programs rely on, on every screen', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    const { id } = await sim.lead({ name: 'Ann' })
    await sim.advance('1m')
    await sim.control('POST', '/_sim/faults', { status: 503 })
    await sim.control('POST', '/_sim/snapshots', { name: 'kept' })
    await sim.control('POST', '/_sim/dnc', { phones: ['+12122340177'], source: 'manual' })
    const console = await ConsolePage.open(browser(), sim)
    const navigation = console.page.getByRole('navigation', { name: 'Screens' })
    expect(await navigation.getByRole('link').allTextContents()).toEqual(screens)
    const missing: string[] = []
    for (const [screen, names] of Object.entries(buttons)) {
      await console.goTo(
        `${sim.url}/console/${screen === 'lead' ? `leads/${id}` : screen === 'delivery' ? 'webhooks' : screen}`,
      )
      if (screen === 'delivery') await console.follow('lead.created')
      if (screen === 'requests') await console.page.locator('details.request summary').first().click()
      for (const name of names) if ((await console.button(name).count()) === 0) missing.push(`${screen}: ${name}`)
    }
    expect(missing).toEqual([])
    for (const name of screens) {
      await console.follow(name)
      await eventually(() => console.page.getByRole('heading', { level: 1 }).textContent()).toBe(name)
    }
    await receiver.close()
  })
})

describe.skipIf(!hasBrowser)('the lists of the console', () => {
  const browser = useBrowser()

  it('Leads: filters by text, status, campaign and reason, and keeps the filter in the address', async () => {
    const sim = await simulate()
    const other = await sim.campaign({ name: 'Winter', status: 'paused' })
    await load(sim, [{ phone: '+18082342001', name: 'Zoe Asleep' }])
    await sim.lead({ name: 'Ann Held', campaign_id: other.id })
    await sim.lead({ name: 'Bob Done', external_id: 'crm-7' })
    const console = await ConsolePage.open(browser(), sim, 'leads')
    const shown = () => console.page.locator('tbody tr td:first-child a').allTextContents()
    const choose = (label: string, value: string) => console.page.getByLabel(label, { exact: true }).selectOption(value)
    await eventually(shown).toEqual(['Bob Done', 'Ann Held', 'Zoe Asleep'])
    await choose('Status', 'held')
    await eventually(shown).toEqual(['Ann Held'])
    await console.goTo(console.page.url())
    await eventually(shown).toEqual(['Ann Held'])
    await choose('Status', '')
    await choose('Waiting reason', 'outside_calling_hours')
    await eventually(shown).toEqual(['Zoe Asleep'])
    await choose('Waiting reason', '')
    await choose('Campaign', other.id)
    await eventually(shown).toEqual(['Ann Held'])
    await choose('Campaign', '')
    const search = console.page.getByRole('searchbox')
    for (const [text, found] of [
      ['asleep', 'Zoe Asleep'],
      ['808234', 'Zoe Asleep'],
      ['crm-7', 'Bob Done'],
    ] as const) {
      await search.fill(text)
      await eventually(shown).toEqual([found])
    }
    await search.fill('nothing like it')
    await console.page.getByText('No lead fits these filters.').waitFor()
    await console.page.getByRole('link', { name: 'Show all leads' }).click()
    await eventually(shown).toHaveLength(3)
    expect(console.problems).toEqual([])
  })

  it('Leads: shows 50 on a page, the next page, and the first one again', async () => {
    const sim = await simulate()
    await load(
      sim,
      Array.from({ length: 60 }, (_, i) => ({ phone: `+1808${2_342_000 + i}`, name: `Lead ${i}` })),
    )
    const console = await ConsolePage.open(browser(), sim, 'leads')
    const names = () => console.page.locator('tbody tr td:first-child a').allTextContents()
    await eventually(async () => [(await names()).length, (await names())[0]]).toEqual([50, 'Lead 59'])
    await console.page.getByRole('link', { name: 'Next page' }).click()
    await eventually(async () => [(await names()).length, (await names())[0]]).toEqual([10, 'Lead 9'])
    await console.page.getByRole('link', { name: 'First page' }).click()
    await eventually(names).toHaveLength(50)
  })

  it('Webhooks and Requests: filter what was sent and received', async () => {
    const receiver = await Receiver.start(({ headers }) => ({
      status: headers['service-event-type'] === 'lead.queued' ? 500 : 204,
      body: '',
    }))
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created', 'lead.queued'] })
    await sim.lead()
    await sim.advance('1s')
    const console = await ConsolePage.open(browser(), sim, 'webhooks')
    const types = () => console.page.locator('.deliveries a').allTextContents()
    await eventually(async () => (await types()).sort()).toEqual(['lead.created', 'lead.queued'])
    await console.page.getByLabel('Status of deliveries').selectOption('failed')
    await eventually(types).toEqual(['lead.queued'])
    await sim.live.get('/nothing')
    await console.follow('Requests')
    const paths = () => console.page.locator('details.request strong').allTextContents()
    await console.page.getByLabel('Kind of answer').selectOption('error')
    await eventually(paths).toEqual(['/nothing'])
    await console.page.getByLabel('Kind of answer').selectOption('')
    await console.page.getByRole('searchbox').fill('/webhook_endpoints')
    await eventually(paths).toEqual(['/webhook_endpoints'])
    await console.page
      .getByLabel('Key', { exact: true })
      .selectOption({ label: `${sim.organization.keys.find(({ mode }) => mode === 'test')?.name} (test)` })
    await console.page.getByText('No API request').waitFor()
    await receiver.close()
  })

  it('Now and Figures: a count leads to its leads, the agenda opens, and figures change from hours to days', async () => {
    const sim = await simulate()
    await load(
      sim,
      Array.from({ length: 40 }, (_, i) => ({ phone: `+1212${2_342_000 + i}`, name: `Lead ${i}` })),
    )
    await sim.advance('30m')
    const console = await ConsolePage.open(browser(), sim)
    const rows = () => console.page.locator('.agenda li').count()
    const before = await rows()
    await console.page.getByRole('button', { name: /^Show \d+ more$/ }).click()
    expect(await rows()).toBeGreaterThan(before)
    await console.press('Show fewer')
    expect(await rows()).toBe(before)
    await console.page
      .getByRole('link', { name: /scheduled$/ })
      .first()
      .click()
    await eventually(() => console.page.getByLabel('Status', { exact: true }).inputValue()).toBe('scheduled')
    await console.follow('Figures')
    await console.page.getByLabel('Period').selectOption('day')
    await console.page.getByText('Every day').click()
    await eventually(() => console.page.locator('tbody tr').count()).toBe(30)
  })
})
