/** Each button of the console, pressed in a real browser. Its effect is read through the API. */
import { describe, expect, it } from 'vitest'
import type { Agenda } from '../../src/contract/control/agenda.js'
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { Clock } from '../../src/contract/control/clock.js'
import type { Fault } from '../../src/contract/control/faults.js'
import type { Snapshot } from '../../src/contract/control/snapshots.js'
import type { World } from '../../src/contract/control/world.js'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { hasBrowser } from '../support/browser.js'
import { ConsolePage, eventually, useBrowser } from '../support/console-page.js'
import { Receiver } from '../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../support/simulate.js'

if (!hasBrowser) process.stderr.write('There is no browser for this system: the tests of the console are skipped.\n')

const clockOf = (sim: Simulation) => sim.control<Clock>('GET', '/_sim/clock')
const endpointsOf = (sim: Simulation) => sim.control<WebhookEndpoint[]>('GET', '/_sim/webhook_endpoints')
const deliveriesOf = (sim: Simulation, id: string) =>
  sim.control<Delivery[]>('GET', `/_sim/webhook_endpoints/${id}/deliveries`)
const campaignsOf = async (sim: Simulation): Promise<CampaignInWorld[]> =>
  (await sim.control<World>('GET', '/_sim/world')).organizations[0]?.campaigns ?? []

describe.skipIf(!hasBrowser)('the clock bar', () => {
  const browser = useBrowser()

  it('pushes time by its buttons', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim)
    await console.press('+1 m')
    await eventually(() => sim.now).toBe('2026-10-01T15:01:00.000Z')
    await console.press('+15 m')
    await eventually(() => sim.now).toBe('2026-10-01T15:16:00.000Z')
    await console.press('+1 h')
    await eventually(() => sim.now).toBe('2026-10-01T16:16:00.000Z')
    await console.press('+1 d')
    await eventually(() => sim.now).toBe('2026-10-02T16:16:00.000Z')
    const { appointments } = await sim.control<Agenda>('GET', '/_sim/agenda')
    await console.press('Next event')
    await eventually(() => sim.now).toBe(appointments[0]?.at)
    await console.fill('Until', { 'Stop at': 'date', 'Date (UTC)': '2026-10-05T08:00' })
    expect(sim.now).toBe('2026-10-05T08:00:00.000Z')
    expect(console.problems).toEqual([])
  })

  it('pushes time until an event', async () => {
    const sim = await simulate()
    await sim.scripted(sim.phone(), { answer: 'person', ring_seconds: 5, talk_seconds: 60, outcome: 'interested' })
    const console = await ConsolePage.open(browser(), sim)
    await console.fill('Until', { Event: 'call.answered' })
    expect(sim.now).toBe('2026-10-01T15:00:05.000Z')
  })

  it('pauses, resumes, and changes the speed', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim)
    await console.press('Resume')
    await eventually(() => clockOf(sim)).toMatchObject({ paused: false })
    await console.press('Pause')
    await eventually(() => clockOf(sim)).toMatchObject({ paused: true })
    await console.page.getByLabel('Speed').selectOption('60')
    await eventually(() => clockOf(sim)).toMatchObject({ speed: 60 })
  })

  it('shows a push that another program started, what it waits for, and stops it', async () => {
    const receiver = await Receiver.start(() => new Promise(() => undefined))
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await sim.lead()
    const console = await ConsolePage.open(browser(), sim)
    const advanced = sim.control<{ stopped?: boolean }>('POST', '/_sim/clock/advance', { by: '31d' })
    await console.page.getByText(/waits for POST/).waitFor()
    await console.press('Stop')
    expect(await advanced).toMatchObject({ stopped: true })
    await receiver.close()
  })
})

describe.skipIf(!hasBrowser)('the screen Now', () => {
  const browser = useBrowser()

  it('goes to an appointment, and adds a lead where there is none', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim)
    await console.fill('Add lead', { Name: 'Zoe New', Phone: '+12122340199' })
    await console.page.getByRole('heading', { name: /Zoe New/ }).waitFor()
    await console.follow('Now')
    const { appointments } = await sim.control<Agenda>('GET', '/_sim/agenda')
    await console.press('Go there')
    await eventually(() => sim.now).toBe(appointments[0]?.at)
  })
})

describe.skipIf(!hasBrowser)('the actions of a lead', () => {
  const browser = useBrowser()

  it('take out, put back, set the next call, script, call in, STOP and opt out', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ status: 'paused' })
    const { id } = await sim.lead({ name: 'Ann' })
    const phone = (await sim.readLead(id)).phone
    const console = await ConsolePage.open(browser(), sim, `leads/${id}`)
    const status = async () => (await sim.readLead(id)).status
    await console.press('Take out')
    await eventually(status).toBe('out_of_queue')
    await console.press('Put back')
    await eventually(status).toBe('held')
    await console.fill('Set next call', { 'Next call at (UTC)': '2026-10-02T16:30' })
    expect((await sim.readLead(id)).next_dial_at).toBe('2026-10-02T16:30:00.000Z')
    await console.fill('Script calls', { 'Outcome, if a person answers': 'not_interested' })
    await console.fill('Inbound call')
    await sim.advance('10m')
    expect((await sim.readLead(id)).last_outcome).toBe('not_interested')
    await console.agree('Opt out')
    expect(await status()).toBe('out_of_queue')
    const other = await sim.lead({ name: 'Bob' })
    const second = await ConsolePage.open(browser(), sim, `leads/${other.id}`)
    await second.fill('STOP text')
    expect((await sim.readLead(other.id)).status).toBe('out_of_queue')
    expect(phone).toMatch(/^\+1/)
    expect(console.problems).toEqual([])
  })

  it('show the API’s message and code when it refuses', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    await sim.live.post(`/leads/${id}/opt_out`)
    const console = await ConsolePage.open(browser(), sim, `leads/${id}`)
    await console.press('Put back')
    await console.page.getByRole('alert').getByText('on_dnc_list').waitFor()
  })

  it('show the same from a terminal, and copy it', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    const console = await ConsolePage.open(browser(), sim, `leads/${id}`)
    await console.button('Take out').focus()
    const line = console.page.getByRole('contentinfo', { name: 'The same from a terminal' })
    await line.getByText(`svc simulate leads take-out ${id}`).waitFor()
    await console.button('Copy as curl', line).click()
    const text = console.page.getByLabel('Text to copy')
    await eventually(
      async () => (await line.getByText('Copied', { exact: true }).count()) + (await text.count()),
    ).toBeGreaterThan(0)
    if ((await text.count()) > 0) expect(await text.inputValue()).toContain(`/_sim/leads/${id}/take_out`)
  })

  it('play the recording and show the transcript', async () => {
    const sim = await simulate()
    const id = await sim.scripted(sim.phone(), { answer: 'person', talk_seconds: 20, outcome: 'interested' })
    await sim.advance('10m')
    const console = await ConsolePage.open(browser(), sim, `leads/${id}`)
    await console.page.locator('details.call summary').click()
    await console.page.locator('.transcript dd').first().waitFor()
    await console.press('Load recording')
    await console.page.getByLabel('Recording').waitFor()
    expect(console.problems).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('the screen Webhooks', () => {
  const browser = useBrowser()

  it('adds an endpoint, sends samples, resends, resumes and deletes', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    const console = await ConsolePage.open(browser(), sim, 'webhooks')
    await console.fill('Add endpoint', { URL: receiver.url })
    const [endpoint] = await endpointsOf(sim)
    expect(endpoint).toMatchObject({ url: receiver.url, events: ['call.completed', 'lead.interested'] })
    const id = endpoint?.id ?? ''
    await console.fill('Send sample', { Event: 'lead.interested' })
    await eventually(async () => (await deliveriesOf(sim, id))[0]).toMatchObject({ event_type: 'lead.interested' })
    await console.follow('lead.interested')
    await console.press('Resend')
    await eventually(async () => (await deliveriesOf(sim, id)).length).toBe(2)
    expect((await deliveriesOf(sim, id))[0]?.resent_from).not.toBeNull()
    await console.press('Verify snippet')
    expect(await console.dialog.textContent()).toContain('lead-calling/webhooks')
    await console.button('Close', console.dialog).click()
    await sim.live.patch(`/webhook_endpoints/${id}`, { status: 'paused' })
    await console.press('Resume endpoint')
    await eventually(async () => (await endpointsOf(sim))[0]?.status).toBe('active')
    await console.agree('Delete endpoint')
    await eventually(() => endpointsOf(sim)).toEqual([])
    await receiver.close()
  })
})

describe.skipIf(!hasBrowser)('the screen Requests', () => {
  const browser = useBrowser()

  it('shows requests with the fault that applied, and adds and removes faults', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim, 'requests')
    const faults = () => sim.control<Fault[]>('GET', '/_sim/faults')
    await console.fill('Add fault', { 'What requests get': '503', 'Path of requests': '/leads' })
    expect(await faults()).toMatchObject([{ status: 503, path: '/leads', count: 1 }])
    await sim.live.get('/leads')
    await console.page.getByText('fault: 503').waitFor()
    await console.page.getByText('service_unavailable').first().waitFor()
    await console.fill('Add fault', { Affects: 'webhooks', 'What webhooks get': 'drop' })
    expect(await faults()).toMatchObject([{ to: 'webhooks', drop: true }])
    await console.press('Remove')
    await eventually(faults).toEqual([])
    await console.page.locator('details.request summary').first().click()
    expect(await console.button('Copy as svc').first().isVisible()).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('the screen World', () => {
  const browser = useBrowser()

  it('changes campaigns and their hours', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim, 'world')
    await console.fill('Add campaign', { Name: 'Winter', Lines: '3' })
    expect((await campaignsOf(sim)).at(-1)).toMatchObject({ name: 'Winter', lines: 3, status: 'running' })
    await console.press('Pause campaign')
    await eventually(async () => (await campaignsOf(sim))[0]?.status).toBe('paused')
    await console.press('Start campaign')
    await eventually(async () => (await campaignsOf(sim))[0]?.status).toBe('running')
    await console.fill('Edit campaign', { Lines: '7' })
    expect((await campaignsOf(sim))[0]?.lines).toBe(7)
    await console.page.getByText('Calling hours, in the time zone of the lead').first().click()
    await console.press('mon 08:00')
    await console.press('Save hours')
    await eventually(async () => (await campaignsOf(sim))[0]?.calling_hours.mon).toEqual([['09:00', '21:00']])
  })

  it('adds keys, organizations and numbers, and revokes and removes them', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim, 'world')
    const world = () => sim.control<World>('GET', '/_sim/world')
    await console.fill('Add key', { Name: 'Third', Mode: 'test' })
    expect((await world()).organizations[0]?.keys).toHaveLength(3)
    await console.agree('Revoke')
    await expect
      .poll(async () => (await world()).organizations[0]?.keys.map(({ status }) => status))
      .toContain('revoked')
    await console.press('Activate')
    await expect
      .poll(async () => (await world()).organizations[0]?.keys.map(({ status }) => status))
      .not.toContain('revoked')
    await console.fill('Add organization', { Name: 'Second' })
    expect((await world()).organizations.map(({ name }) => name)).toContain('Second')
    await console.fill('Add number', { Phone: '+12122340177' })
    const dnc = () => sim.control<{ phone: string }[]>('GET', '/_sim/dnc')
    expect(await dnc()).toMatchObject([{ phone: '+12122340177' }])
    await console.press('Remove')
    await eventually(dnc).toEqual([])
    await console.follow('Second')
    await console.page.getByText('Members of Second').waitFor()
    await console.press('test')
    await eventually(() => console.page.title()).toMatch(/^World · .* · Second · test$/)
  })

  it('saves, restores and deletes a snapshot, and resets', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim, 'world')
    await console.fill('Save snapshot', { Name: 'clean' })
    const snapshots = async () => (await sim.control<Snapshot[]>('GET', '/_sim/snapshots')).map(({ name }) => name)
    expect(await snapshots()).toEqual(['clean'])
    await sim.lead()
    await console.agree('Restore')
    await eventually(async () => (await sim.live.get<unknown[]>('/leads')).data).toEqual([])
    await console.agree('Delete snapshot')
    await eventually(snapshots).toEqual([])
    await sim.advance('1h')
    await console.agree('Reset')
    await eventually(async () => (await clockOf(sim)).now).toBe('2026-10-01T15:00:00.000Z')
  })
})
