/** The commands that the console shows next to its buttons, run as they stand. Each does what the button does. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Agenda } from '../../src/contract/control/agenda.js'
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { Fault } from '../../src/contract/control/faults.js'
import type { Snapshot } from '../../src/contract/control/snapshots.js'
import type { World } from '../../src/contract/control/world.js'
import type { Delivery } from '../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../src/contract/webhook-endpoints.js'
import { hasBrowser } from '../support/browser.js'
import { ConsolePage, eventually, useBrowser } from '../support/console-page.js'
import { Receiver } from '../support/deliveries/receiver.js'
import { Svc } from '../support/programs/svc.js'
import { simulate, type Simulation } from '../support/simulate.js'

const hasCurl = spawnSync('curl', ['--version']).status === 0

/** Runs commands with the live key in the environment, as a person would who set it. */
function terminalOf(sim: Simulation) {
  const svc = new Svc()
  const { key_id, secret } = sim.live.key
  return async (line: string): Promise<string> => {
    const env = { SVC_KEY_ID: key_id, SVC_SECRET: secret }
    const { code, stdout, stderr } = await svc.shell(line, { env })
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' })
    return stdout
  }
}

const endpointsOf = (sim: Simulation) => sim.control<WebhookEndpoint[]>('GET', '/_sim/webhook_endpoints')
const deliveriesOf = (sim: Simulation, id: string) =>
  sim.control<Delivery[]>('GET', `/_sim/webhook_endpoints/${id}/deliveries`)
const worldOf = (sim: Simulation) => sim.control<World>('GET', '/_sim/world')
const firstCampaign = async (sim: Simulation): Promise<CampaignInWorld | undefined> =>
  (await worldOf(sim)).organizations[0]?.campaigns[0]

describe.skipIf(!hasBrowser)('the command shown next to', () => {
  const browser = useBrowser()

  it('the buttons of the clock bar', async () => {
    const sim = await simulate()
    const run = terminalOf(sim)
    await sim.scripted(sim.phone(), { answer: 'person', ring_seconds: 5, talk_seconds: 60, outcome: 'interested' })
    const console = await ConsolePage.open(browser(), sim)
    await run(await console.commandOfForm('Until', { Event: 'call.answered' }))
    expect(sim.now).toBe('2026-10-01T15:00:05.000Z')
    await run(await console.commandOf('+15 m'))
    expect(sim.now).toBe('2026-10-01T15:15:05.000Z')
    await run(await console.commandOf('+1 m'))
    await run(await console.commandOf('+1 h'))
    await run(await console.commandOf('+1 d'))
    expect(sim.now).toBe('2026-10-02T16:16:05.000Z')
    await run(await console.commandOfForm('Until', { 'Stop at': 'date', 'Date (UTC)': '2026-10-05T08:00' }))
    expect(sim.now).toBe('2026-10-05T08:00:00.000Z')
    const clock = () => sim.control<{ paused: boolean; speed: number }>('GET', '/_sim/clock')
    await console.page.getByLabel('Speed').selectOption('60')
    const faster = await console.page.getByRole('contentinfo').locator('code').innerText()
    await sim.control('PATCH', '/_sim/clock', { speed: 1 })
    await run(faster)
    expect(await clock()).toMatchObject({ speed: 60 })
    await run(await console.commandOf('Resume'))
    expect(await clock()).toMatchObject({ paused: false })
    await console.button('Pause').waitFor()
    await run(await console.commandOf('Pause'))
    expect(await clock()).toMatchObject({ paused: true })
  })

  it('Next event and Go there', async () => {
    const sim = await simulate()
    const run = terminalOf(sim)
    await sim.scripted(sim.phone(), { answer: 'person', ring_seconds: 5, talk_seconds: 60 })
    const console = await ConsolePage.open(browser(), sim)
    await run(await console.commandOf('Next event'))
    expect(sim.now).toBe('2026-10-01T15:00:05.000Z')
    const { appointments } = await sim.control<Agenda>('GET', '/_sim/agenda')
    await console.goTo(`${sim.url}/console/`)
    await run(await console.commandOf('Go there'))
    expect(sim.now).toBe(appointments[0]?.at)
  })

  it('Stop', async () => {
    const receiver = await Receiver.start(() => new Promise(() => undefined))
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await sim.lead()
    const console = await ConsolePage.open(browser(), sim)
    const advanced = sim.control<{ stopped?: boolean }>('POST', '/_sim/clock/advance', { by: '31d' })
    await console.button('Stop').waitFor()
    await terminalOf(sim)(await console.commandOf('Stop'))
    expect(await advanced).toMatchObject({ stopped: true })
    await receiver.close()
  })

  it('Add lead', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim, 'leads')
    const values = { Name: "Zoe O'Neill", Phone: '+12122340199', 'External id (optional)': 'crm 7' }
    await terminalOf(sim)(await console.commandOfForm('Add lead', values))
    const { data } = await sim.live.get<object[]>('/leads')
    expect(data).toMatchObject([{ name: "Zoe O'Neill", phone: '+12122340199', external_id: 'crm 7', livemode: true }])
  })

  it('the actions of a lead', async () => {
    const sim = await simulate()
    const run = terminalOf(sim)
    await sim.changeCampaign({ status: 'paused' })
    const { id } = await sim.lead({ name: 'Ann' })
    const other = await sim.lead({ name: 'Bob' })
    const console = await ConsolePage.open(browser(), sim, `leads/${id}`)
    const lead = () => sim.readLead(id)
    await run(await console.commandOf('Take out'))
    expect(await lead()).toMatchObject({ status: 'out_of_queue' })
    await run(await console.commandOf('Put back'))
    expect(await lead()).toMatchObject({ status: 'held' })
    await run(await console.commandOfForm('Set next call', { 'Next call at (UTC)': '2026-10-02T16:30' }))
    expect(await lead()).toMatchObject({ next_dial_at: '2026-10-02T16:30:00.000Z' })
    await run(await console.commandOfForm('Script calls', { 'Outcome, if a person answers': 'not_interested' }))
    await run(await console.commandOfForm('Inbound call'))
    await sim.advance('10m')
    expect(await lead()).toMatchObject({ last_outcome: 'not_interested' })
    await run(await console.commandOf('Opt out'))
    expect(await lead()).toMatchObject({ status: 'out_of_queue' })
    await console.goTo(`${sim.url}/console/leads/${other.id}`)
    await run(await console.commandOfForm('STOP text'))
    expect(await sim.readLead(other.id)).toMatchObject({ status: 'out_of_queue' })
  })

  it('the buttons of Webhooks', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    const run = terminalOf(sim)
    const console = await ConsolePage.open(browser(), sim, 'webhooks')
    await run(await console.commandOfForm('Add endpoint', { URL: receiver.url }))
    const [endpoint] = await endpointsOf(sim)
    expect(endpoint).toMatchObject({ url: receiver.url, events: ['call.completed', 'lead.interested'] })
    const id = endpoint?.id ?? ''
    await console.button('Send sample').waitFor()
    await run(await console.commandOfForm('Send sample', { Event: 'lead.interested' }))
    await eventually(async () => (await deliveriesOf(sim, id)).length).toBe(1)
    await console.page.getByRole('link', { name: 'lead.interested' }).waitFor()
    await console.follow('lead.interested')
    await run(await console.commandOf('Resend'))
    await eventually(async () => (await deliveriesOf(sim, id))[0]?.resent_from).not.toBeNull()
    await sim.live.patch(`/webhook_endpoints/${id}`, { status: 'paused' })
    await console.goTo(`${sim.url}/console/webhooks`)
    await run(await console.commandOf('Resume endpoint'))
    expect(await endpointsOf(sim)).toMatchObject([{ status: 'active' }])
    await run(await console.commandOf('Delete endpoint'))
    expect(await endpointsOf(sim)).toEqual([])
    await receiver.close()
  })

  it('Add fault and Remove', async () => {
    const sim = await simulate()
    const run = terminalOf(sim)
    const faults = () => sim.control<Fault[]>('GET', '/_sim/faults')
    const console = await ConsolePage.open(browser(), sim, 'requests')
    const values = { 'What requests get': '503', 'Path of requests': '/leads/**', 'How many': '2' }
    await run(await console.commandOfForm('Add fault', values))
    await run(await console.commandOfForm('Add fault', { Affects: 'webhooks', 'What webhooks get': 'delay' }))
    expect(await faults()).toMatchObject([{ status: 503, path: '/leads/**', count: 2 }, { to: 'webhooks' }])
    await console.goTo(`${sim.url}/console/requests`)
    await run(await console.commandOf('Remove'))
    expect(await faults()).toMatchObject([{ to: 'webhooks' }])
  })

  it('the settings of World', async () => {
    const sim = await simulate()
    const run = terminalOf(sim)
    const console = await ConsolePage.open(browser(), sim, 'world')
    await run(await console.commandOf('Pause campaign'))
    expect(await firstCampaign(sim)).toMatchObject({ status: 'paused' })
    await run(await console.commandOfForm('Edit campaign', { Lines: '7', Status: 'running' }))
    expect(await firstCampaign(sim)).toMatchObject({ lines: 7, status: 'running' })
    await console.page.getByText('Calling hours, in the time zone of the lead').first().click()
    await console.press('mon 08:00')
    await run(await console.commandOf('Save hours'))
    expect((await firstCampaign(sim))?.calling_hours.mon).toEqual([['09:00', '21:00']])
    await run(await console.commandOfForm('Add campaign', { Name: 'Winter tour', Lines: '3' }))
    await run(await console.commandOfForm('Add key', { Name: 'Third', Mode: 'test' }))
    await run(await console.commandOfForm('Add organization', { Name: 'Second' }))
    const { organizations } = await worldOf(sim)
    expect(organizations.map(({ name }) => name)).toContain('Second')
    expect(organizations[0]?.campaigns.at(-1)).toMatchObject({ name: 'Winter tour', lines: 3 })
    expect(organizations[0]?.keys.at(-1)).toMatchObject({ name: 'Third', mode: 'test' })
    await run(await console.commandOf('Revoke'))
    const statuses = async () => (await worldOf(sim)).organizations[0]?.keys.map(({ status }) => status)
    expect(await statuses()).toContain('revoked')
    await console.button('Activate').waitFor()
    await run(await console.commandOf('Activate'))
    expect(await statuses()).not.toContain('revoked')
    await run(await console.commandOf('Pause campaign'))
    await console.button('Start campaign').waitFor()
    await run(await console.commandOf('Start campaign'))
    expect(await firstCampaign(sim)).toMatchObject({ status: 'running' })
  })

  it('the lists of World: numbers, snapshots, reset', async () => {
    const sim = await simulate()
    const run = terminalOf(sim)
    const dnc = () => sim.control<{ phone: string }[]>('GET', '/_sim/dnc')
    const snapshots = async () => (await sim.control<Snapshot[]>('GET', '/_sim/snapshots')).map(({ name }) => name)
    const console = await ConsolePage.open(browser(), sim, 'world')
    await run(await console.commandOfForm('Add number', { Phone: '+12122340177' }))
    expect(await dnc()).toMatchObject([{ phone: '+12122340177' }])
    await console.goTo(`${sim.url}/console/world`)
    await run(await console.commandOf('Remove'))
    expect(await dnc()).toEqual([])
    await run(await console.commandOfForm('Save snapshot', { Name: 'clean' }))
    expect(await snapshots()).toEqual(['clean'])
    await sim.advance('1h')
    await console.goTo(`${sim.url}/console/world`)
    await run(await console.commandOf('Restore'))
    expect(sim.now).toBe('2026-10-01T15:00:00.000Z')
    await run(await console.commandOf('Delete snapshot'))
    expect(await snapshots()).toEqual([])
    await sim.advance('1h')
    await run(await console.commandOf('Reset'))
    await eventually(() => sim.now).toBe('2026-10-01T15:00:00.000Z')
  })
})

describe.skipIf(!hasBrowser)('the copy buttons', () => {
  const browser = useBrowser()

  it('copy the secret of a key, and the id of a lead', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    const console = await ConsolePage.open(browser(), sim, 'world', { clipboard: false })
    expect(await console.copied('Copy secret')).toBe(sim.organization.keys[0]?.secret)
    await console.goTo(`${sim.url}/console/leads/${id}`)
    expect(await console.copied('Copy id')).toBe(id)
  })

  it('copy an API request as svc and as curl, and both send it again', async () => {
    const sim = await simulate()
    await sim.lead({ name: "Zoe O'Neill" })
    const console = await ConsolePage.open(browser(), sim, 'requests', { clipboard: false })
    await console.page.locator('details.request summary').first().click()
    const [svc, curl] = [await console.copied('Copy as svc'), await console.copied('Copy as curl')]
    const count = async () => (await sim.live.get<object[]>('/leads')).data.length
    expect(svc).toMatch(/^echo '\{.*\}' \| svc api -X POST \/leads --input - --base-url http/)
    expect(curl).toContain(`${sim.baseUrl}/leads`)
    // The same number again is refused, so the lead of the request is taken out of the copied body.
    const again = (text: string, phone: string) => text.replaceAll(/\+1\d{10}/g, phone)
    await terminalOf(sim)(`${again(svc, '+16462010199')} --yes`)
    expect(await count()).toBe(2)
    if (!hasCurl) return
    const env = { ...process.env, SVC_SECRET: sim.live.key.secret }
    await once(spawn('sh', ['-c', again(curl, '+16462010198')], { env }), 'exit')
    expect(await count()).toBe(3)
  })

  it.skipIf(!hasCurl)('copy a delivery as curl, which the receiver gets with a valid signature', async () => {
    const receiver = await Receiver.start()
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await sim.lead({ name: "Zoe O'Neill" })
    await sim.advance('1m')
    const console = await ConsolePage.open(browser(), sim, 'webhooks', { clipboard: false })
    await console.follow('lead.created')
    const curl = await console.copied('Copy as curl')
    await receiver.waitFor(1)
    await once(spawn('sh', ['-c', curl]), 'exit')
    await receiver.waitFor(2)
    const [first, copy] = receiver.requests
    expect(copy?.rawBody.toString()).toBe(first?.rawBody.toString())
    expect(copy?.headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}/)
    await receiver.close()
  })
})
