/** What people and telephones do in the simulated world, driven from the command line. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../../src/contract/calls.js'
import type { Health } from '../../../src/contract/control/health.js'
import type { Organization } from '../../../src/contract/control/world.js'
import type { Lead } from '../../../src/contract/leads.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { SvcAt } from '../../support/programs/svc-at.js'

describe('simulate health', () => {
  it('says that the simulator is ready, and exits 8 where there is none', async () => {
    const at = await SvcAt.start()
    const { baseUrl, now } = at.simulation
    expect(await at.data<Health>('simulate', 'health')).toMatchObject({ status: 'ok', now, base_url: baseUrl })
    const env = { SVC_BASE_URL: 'http://127.0.0.1:1' }
    expect(await at.run(['simulate', 'health'], { env })).toMatchObject({ code: 8, stdout: '' })
  })
})

describe('simulate organization', () => {
  it('makes an organization that is ready, and changes one', async () => {
    const at = await SvcAt.start()
    const words = ['--time-zone', 'America/Los_Angeles', '--rate-usd-per-minute', '0.5', '--requests-per-minute', '7']
    const made = await at.data<Organization>('simulate', 'organization', '--name', 'Second', '--no-recording', ...words)
    expect(made).toMatchObject({
      name: 'Second',
      time_zone: 'America/Los_Angeles',
      rate_usd_per_minute: 0.5,
      requests_per_minute: 7,
      recording: false,
      campaigns: [{ status: 'running' }],
      keys: [{ mode: 'live' }, { mode: 'test' }],
    })
    const changed = await at.data('simulate', 'organization', made.id, '--name', 'Other', '--recording')
    expect(changed).toMatchObject({ id: made.id, name: 'Other', recording: true, requests_per_minute: 7 })
    expect(await at.run(['simulate', 'organization'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Error: Missing: --name\.\n {2}svc simulate organization --help shows what it takes\. For example: svc simulate organization .*\n$/,
      ) as string,
    })
    expect(await at.run(['simulate', 'organization', made.id])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.run(['simulate', 'organization', made.id, '--rate-usd-per-minute', 'much'])).toMatchObject({
      code: 2,
    })
    expect(await at.run(['simulate', 'organization', 'nobody', '--name', 'X'])).toMatchObject({ code: 3 })
  })
})

describe('simulate leads', () => {
  it('loads one lead from its words, in the mode of the key in use', async () => {
    const at = await SvcAt.start({}, 'test')
    const { campaignId } = at.simulation
    const words = ['--campaign', campaignId, '--phone', '(646) 201-7812', '--name', 'Ann', '--source', 'fair']
    const { ids } = await at.data<{ ids: string[] }>('simulate', 'leads', 'load', ...words, '--field', 'size=3')
    expect(await at.simulation.readLead(ids[0] ?? '', at.client)).toMatchObject({
      phone: '+16462017812',
      name: 'Ann',
      lead_source: 'fair',
      fields: { size: '3' },
      livemode: false,
    })
  })

  it.each([
    ['an array', (leads: object[]) => JSON.stringify(leads)],
    ['one a line', (leads: object[]) => leads.map((lead) => JSON.stringify(lead)).join('\r\n') + '\r\n'],
  ])('loads many from a file or from standard input: %s', async (_what, written) => {
    const at = await SvcAt.start()
    const words = ['simulate', 'leads', 'load', '--campaign', at.simulation.campaignId]
    const leads = () => written([{ phone: at.simulation.phone(), name: 'Ann' }, { phone: at.simulation.phone() }])
    writeFileSync(join(at.svc.folder, 'leads.json'), leads())
    const ids = (await at.text(...words, 'leads.json', '--no-header')).trimEnd().split('\n')
    expect((await at.client.all<Lead>('/leads')).map(({ id }) => id).sort()).toEqual(ids.sort())
    const piped = await at.run([...words, '-', '--json'], { stdin: leads() })
    expect((JSON.parse(piped.stdout) as { data: { ids: string[] } }).data.ids).toHaveLength(2)
    expect(await at.client.all('/leads')).toHaveLength(4)
  })

  it('says which lead or line is wrong, and loads none then', async () => {
    const at = await SvcAt.start()
    const words = ['simulate', 'leads', 'load', '--campaign', at.simulation.campaignId]
    const phone = at.simulation.phone()
    for (const [stdin, code, said] of [
      [`{"phone":"${phone}"}\n{"phone":`, 2, 'Standard input: line 2 is not JSON.'],
      [`[{"phone":"${phone}"}, 3]`, 2, 'Standard input: lead 2 is not a JSON object.'],
      ['', 2, 'Standard input holds no leads.'],
      [`[{"phone":"${phone}"}, {"phone":"12"}]`, 5, 'param: leads[1].phone'],
      [`[{"phone":"${phone}", "colour":"red"}]`, 5, 'param: leads[0].colour'],
    ] as const) {
      const ran = await at.run([...words, '-'], { stdin })
      expect([ran.code, ran.stdout]).toEqual([code, ''])
      expect(ran.stderr).toContain(said)
    }
    expect(await at.run([...words, 'nowhere.json'])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.run([...words, '-', '--phone', phone])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.run(['simulate', 'leads', 'load'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing: --campaign, --phone.') as string,
    })
    expect(await at.client.all('/leads')).toEqual([])
  })

  it('takes a lead out of the queue, puts it back, and says when it is dialed', async () => {
    const at = await SvcAt.start()
    await at.simulation.changeCampaign({ status: 'paused' })
    const { id } = await at.simulation.lead()
    expect(await at.data('simulate', 'leads', 'take-out', id)).toMatchObject({ id, status: 'out_of_queue' })
    expect(await at.data('simulate', 'leads', 'put-back', id)).toMatchObject({ id, status: 'held' })
    expect(await at.data('simulate', 'leads', 'dial-at', id, '2026-10-02T15:00:00Z')).toMatchObject({
      status: 'scheduled',
      scheduled_reason: 'next_dial_time',
      next_dial_at: '2026-10-02T15:00:00.000Z',
    })
    expect(await at.run(['simulate', 'leads', 'dial-at', id, 'tomorrow'])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.run(['simulate', 'leads', 'dial-at'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing: <lead>, <at>.') as string,
    })
    expect(await at.run(['simulate', 'leads', 'take-out', 'nobody'])).toMatchObject({ code: 3, stdout: '' })
  })
})

describe('the telephone', () => {
  it('brings a text that opts out', async () => {
    const at = await SvcAt.start()
    const phone = at.simulation.phone()
    const { id } = await at.simulation.lead({ phone })
    expect(await at.data('simulate', 'text', phone, 'Who is this?')).toEqual({ opted_out: false })
    expect(await at.data('simulate', 'text', phone, 'STOP')).toEqual({ opted_out: true })
    expect(await at.simulation.readLead(id)).toMatchObject({ status: 'out_of_queue' })
    expect(await at.run(['simulate', 'text', phone])).toMatchObject({ code: 2, stdout: '' })
  })

  it('brings a call that ends as it is told to', async () => {
    const at = await SvcAt.start()
    const phone = at.simulation.phone()
    const words = ['simulate', 'inbound-call', phone, '--campaign', at.simulation.campaignId]
    const { id } = await at.data<Call>(...words, '--outcome', 'not_qualified')
    await at.simulation.advance('1h')
    expect(await at.simulation.readCall(id)).toMatchObject({ direction: 'inbound', outcome: 'not_qualified' })
    expect(await at.run([...words, '--outcome', 'delighted'])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('people', () => {
  it('list numbers by hand and in bulk, and are told of those that were listed or cannot be read', async () => {
    const at = await SvcAt.start()
    const [one, two] = [at.simulation.phone(), at.simulation.phone()]
    expect(await at.data('simulate', 'dnc', one)).toMatchObject({ succeeded: 1, failed: 0 })
    const ran = await at.run(['simulate', 'dnc', one, two, 'x', '--bulk', '--json'])
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([
      6,
      { data: { succeeded: 1, failed: 2, errors: [one, 'x'] } },
    ])
    expect(await at.client.all('/dnc', 'cursor')).toMatchObject([
      { phone: two, source: 'bulk' },
      { phone: one, source: 'manual' },
    ])
  })

  it('correct a call: its outcome, what that is called, and the note', async () => {
    const at = await SvcAt.start()
    const phone = at.simulation.phone()
    await at.simulation.script(phone, { answer: 'person', outcome: 'not_interested' })
    const { id: lead } = await at.simulation.lead({ phone })
    await at.simulation.advance('1h')
    const id = (await at.simulation.readLead(lead)).calls[0]?.id ?? ''
    const correct = (...words: string[]) => at.data<Call>('simulate', 'correct', id, ...words)
    const changes = ['--outcome', 'interested', '--label', 'Hot', '--note', 'Wants a quote']
    expect(await correct(...changes)).toMatchObject({
      outcome: 'interested',
      outcome_label: 'Hot',
      note: 'Wants a quote',
    })
    expect(await correct('--clear', 'note', '--clear', 'label')).toMatchObject({ note: null, outcome_label: null })
    expect(await at.run(['simulate', 'correct', id])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.run(['simulate', 'correct', id, '--note', 'x', '--clear', 'note'])).toMatchObject({ code: 2 })
    expect(await at.run(['simulate', 'correct', 'nobody', '--note', 'x'])).toMatchObject({ code: 3 })
  })
})

describe('simulate stream', () => {
  it('prints what happens as it happens, of the types that were asked for, and ends after --limit', async () => {
    const at = await SvcAt.start({ allowLocalWebhooks: true })
    const receiver = await Receiver.start(() => ({ status: 500 }))
    await at.client.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    const types = ['--types', 'transition.*,lead.created', '--types', 'delivery']
    const words = ['simulate', 'stream', ...types, '--limit', '6', '--mode', 'live']
    const [lines, json] = [at.svc.start([...words, '-o', 'tsv'], at.env), at.svc.start([...words, '--json'], at.env)]
    for (const running of [lines, json]) await running.says(/Waiting for what happens\./)
    // The stream is open once the simulator has it: a lead at a time until both have what they wait for.
    let done = false
    const ran = Promise.all([lines.end(), json.end()]).finally(() => (done = true))
    await at.simulation.lead({}, at.simulation.test)
    while (!done) {
      await at.simulation.lead()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [table, objects] = await ran
    const rows = table.stdout.trimEnd().split('\n')
    expect([table.code, rows.length, rows[0]]).toEqual([0, 7, 'at\tevent\tsubject\twhat'])
    expect(table.stdout).toContain(`${at.simulation.now}\ttransition.lead\t`)
    expect(table.stdout).toMatch(/\tlead\.created\t[0-9a-f-]{36}\t\n/)
    const documents = objects.stdout.trimEnd().split('\n')
    const heard = documents.map((line) => JSON.parse(line) as { event: string; data: { mode?: string } })
    expect(heard).toHaveLength(6)
    for (const { event, data } of heard) {
      expect(event).toMatch(/^(transition\.|lead\.created|delivery\.attempt)/)
      expect(data.mode ?? 'live').toBe('live')
    }
    await receiver.close()
  })

  it('tells of another world where that is asked for', async () => {
    const at = await SvcAt.start()
    const words = ['simulate', 'stream', '--types', 'world', '--limit', '1', '-o', 'tsv', '--no-header']
    const running = at.svc.start(words, at.env)
    await running.says(/Waiting for what happens\./)
    let isOver = false
    const ended = running.end().finally(() => (isOver = true))
    // Until the stream is open.
    while (!isOver) await at.simulation.control('POST', '/_sim/reset', { now: '2026-11-03T16:00:00Z' })
    expect(await ended).toMatchObject({ code: 0, stdout: '2026-11-03T16:00:00.000Z\tworld.replaced\t\t\n' })
  })

  it('exits 8 when the simulator ends', async () => {
    const at = await SvcAt.start()
    const running = at.svc.start(['simulate', 'stream', '-o', 'ndjson', '--types', 'lead.created'], at.env)
    await running.says(/Waiting for what happens\./)
    let heard = false
    const first = running.line().then(() => (heard = true))
    while (!heard) {
      await at.simulation.lead()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await first
    await at.simulation.simulator.close()
    expect(await running.end()).toMatchObject({ code: 8 })
  })

  it('says what is wrong with what was asked', async () => {
    const at = await SvcAt.start()
    expect(await at.run(['simulate', 'stream', '--mode', 'real'])).toMatchObject({ code: 2, stdout: '' })
    const env = { SVC_BASE_URL: 'http://127.0.0.1:1' }
    expect(await at.run(['simulate', 'stream'], { env })).toMatchObject({ code: 8, stdout: '' })
  })
})
