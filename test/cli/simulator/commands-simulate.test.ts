/** The simulator driven from the command line, through its control plane. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CampaignInWorld } from '../../../src/contract/control/campaigns.js'
import type { Key } from '../../../src/contract/control/keys.js'
import type { World } from '../../../src/contract/control/world.js'
import type { LoggedRequest, Notification } from '../../../src/contract/control/records.js'
import type { Agenda } from '../../../src/contract/control/agenda.js'
import type { Delivery } from '../../../src/contract/deliveries.js'
import { PlainService } from '../../support/servers/plain-service.js'
import { refuse, stubServer } from '../../support/servers/stub-server.js'
import { Svc } from '../../support/programs/svc.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { fullTime, localZone } from '../../../src/output/time.js'

describe('simulate world', () => {
  it('shows the organizations with their keys', async () => {
    const at = await SvcAt.start()
    expect(await at.data('simulate', 'world')).toEqual({ organizations: [at.simulation.organization] })
    expect(await at.text('simulate', 'world', '-o', 'table')).toContain(at.client.key.secret)
  })
})

describe('simulate agenda', () => {
  it('lists what is planned, and the leads that wait', async () => {
    const at = await SvcAt.start()
    const held = await at.simulation.campaign({ status: 'paused' })
    const { id } = await at.simulation.lead({ campaign_id: held.id })
    await at.simulation.lead({})
    const { appointments } = await at.data<Agenda>('simulate', 'agenda')
    expect(appointments.length).toBeGreaterThan(0)
    expect(await at.text('simulate', 'agenda', '--columns', 'at', '--no-header')).toBe(
      appointments.map((one) => `${one.at}\n`).join(''),
    )
    expect(await at.text('simulate', 'agenda', '--waiting', '--columns', 'id,status', '--no-header')).toBe(
      `${id}\theld\n`,
    )
  })
})

describe('simulate agenda for a person', () => {
  it('says in sentences what happens next and why each lead waits, by the clock of the world', async () => {
    const at = await SvcAt.start({ now: '2031-10-02T15:00:00Z' })
    const { simulation } = at
    const [phone, asleep] = [simulation.phone(), '+18085557812']
    await simulation.script(phone, { answer: 'no_answer', ring_seconds: 20 })
    const ringing = (await simulation.lead({ phone, name: 'Ann\u001b[31m' })).id
    const waiting = (await simulation.lead({ phone: asleep, name: 'Bo' })).id
    const lines = async () => (await at.text('simulate', 'agenda', '-o', 'table', '--no-color')).split('\n')
    expect(await lines()).toEqual([
      `The clock shows ${fullTime('2031-10-02T15:00:00Z', { utc: false })} ${localZone()}.`,
      '',
      'What happens next',
      '  in 20 seconds  The call to Ann: it ends: no_answer.',
      '  in 1 hour      Deletes data past its retention period.',
      '  in 3 hours     The calling hours of Web leads open in Pacific/Honolulu: 1 lead waits for that.',
      '  in 10 hours    The calling hours of Web leads close in America/New_York.',
      '',
      'Who waits, and why',
      `  ${waiting}  Bo, ${asleep}: scheduled, in 3 hours`,
      '    calling hours 08:00-21:00: closed there since 21:00, open at 08:00',
      '',
    ])
    await simulation.advance('30s')
    expect(await lines()).toEqual(
      expect.arrayContaining([
        '  in 1 hour      Ann is tried again.',
        `  ${ringing}  Ann, ${phone}: scheduled, in 1 hour`,
        expect.stringMatching(/^ {4}attempts: 1 of 6; next try 2031-10-02 13:00 EDT$/),
      ]),
    )
    expect(await at.text('simulate', 'clock', '-o', 'table')).toMatch(/Clock +2031-10-\d\d \d\d:00:30 \S+ \(now\)/)
    expect(await at.text('simulate', 'advance', '2d', '-o', 'table')).toContain('(now)')
    expect(await at.text('simulate', 'requests', '-o', 'table', '--limit', '1')).toMatch(/2031-10-02 \d\d:\d\d/)
  })

  it('says when nobody waits, and when there is more than is shown', async () => {
    const at = await SvcAt.start()
    expect(await at.text('simulate', 'agenda', '-o', 'table')).toContain('Who waits, and why\n  Nobody waits.\n')
    await at.simulation.changeCampaign({ lines: 0 })
    for (let i = 0; i < 3; i++) await at.simulation.lead()
    const { stdout, stderr } = await at.run(['simulate', 'agenda', '--limit', '2'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(stderr).toBe('Leads that wait: 2 or more; --waiting lists them.\n')
    expect(await at.text('simulate', 'agenda', '--limit', '2', '-o', 'table')).toContain(', the first of them')
  })
})

describe('simulate advance', () => {
  it('pushes time by a length or to a moment, and says what came of it', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead()
    const pushed = await at.data<{ now: string; events: number }>('simulate', 'advance', '1h30m')
    expect(pushed.now).toBe('2026-10-01T16:30:00.000Z')
    expect(pushed.events).toBeGreaterThan(0)
    for (const [by, now] of [
      ['90', '2026-10-01T16:31:30.000Z'],
      ['1d', '2026-10-02T16:31:30.000Z'],
      ['2026-10-03T12:00:00+02:00', '2026-10-03T10:00:00.000Z'],
    ] as const)
      expect(await at.data('simulate', 'advance', by)).toMatchObject({ now })
    expect(await at.run(['simulate', 'advance', '2026-10-03T00:00:00Z'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('time does not go back') as string,
    })
    expect(await at.run(['simulate', 'advance', 'soon'])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.run(['simulate', 'advance'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('stops with Ctrl-C, says where, and time stands there', async () => {
    const at = await SvcAt.start()
    const { simulation } = at
    const phone = simulation.phone()
    await simulation.changeCampaign({ max_attempts: 1e9, any_hour: true })
    await simulation.script(phone, { answer: 'busy' })
    const { id } = await simulation.lead({ phone })
    const running = at.svc.start(['simulate', 'advance', '360000d'], at.env)
    while ((await simulation.readLead(id)).attempts < 50) await simulation.live.get('/leads')
    const { code, stdout, stderr } = await running.kill('SIGINT')
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    const [, stopped = ''] = /^Stopped\. The clock shows (\S+Z)\.$/m.exec(stderr) ?? []
    expect(stopped).not.toBe('')
    await simulation.advance('0s')
    const { now } = await simulation.control<{ now: string }>('GET', '/_sim/clock')
    await simulation.live.get('/leads')
    expect((await simulation.control<{ now: string }>('GET', '/_sim/clock')).now).toBe(now)
    expect(now >= stopped && now < '2900').toBe(true)
  })
})

describe('simulate script', () => {
  it('says what the next calls do, in the mode of the key in use', async () => {
    const at = await SvcAt.start({}, 'test')
    const phone = at.simulation.phone()
    const said = await at.data('simulate', 'script', phone, 'busy', 'person:outcome=not_interested,talk_seconds=95')
    expect(said).toMatchObject({ phone, mode: 'test', calls: 2 })
    const { id } = await at.simulation.lead({ phone }, at.client)
    await at.simulation.advance('1h')
    const lead = await at.simulation.readLead(id, at.client)
    expect(lead.calls.map(({ outcome, duration_seconds }) => [outcome, duration_seconds])).toEqual([
      ['not_interested', 95],
      ['busy', 0],
    ])
    expect(await at.data('simulate', 'script', phone, '--clear')).toEqual({ removed: 1 })
  })

  it('hands a call over, and knows what a call may have', async () => {
    const at = await SvcAt.start()
    const phone = at.simulation.phone()
    await at.text(
      'simulate',
      'script',
      phone,
      'person:outcome=interested,interested_after_seconds=20,handover=closer,accept_after_seconds=5',
    )
    const { id } = await at.simulation.lead({ phone })
    await at.simulation.advance('1h')
    const call = (await at.simulation.readLead(id)).calls[0]?.id ?? ''
    expect((await at.simulation.readCall(call)).handled_by.role).toBe('closer')
    const wrong = async (text: string) => at.run(['simulate', 'script', phone, text])
    expect(await wrong('bussy')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean busy?') as string,
    })
    expect(await wrong('person:outcom=busy')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('outcome') as string,
    })
    expect(await wrong('person:talk_seconds=long')).toMatchObject({ code: 2 })
    expect(await wrong('person:outcome=delighted')).toMatchObject({ code: 2 })
  })
})

describe('simulate key', () => {
  it('makes a key, keeps it as a profile, and revokes it', async () => {
    const at = await SvcAt.start()
    const words = [
      '--mode',
      'test',
      '--permission',
      'leads:read,calls:read',
      '--leads-per-minute',
      '5',
      '--save-as',
      'reader',
    ]
    const key = await at.data<Key>('simulate', 'key', ...words)
    expect(key).toMatchObject({
      mode: 'test',
      permissions: ['leads:read', 'calls:read'],
      limits: { leads_per_minute: 5 },
    })
    const own = { SVC_BASE_URL: '', SVC_KEY_ID: '', SVC_SECRET: '' }
    expect(await at.run(['leads', 'list', '--profile', 'reader'], { env: own })).toMatchObject({ code: 0 })
    expect(await at.data('simulate', 'key', key.key_id, '--status', 'revoked')).toMatchObject({ status: 'revoked' })
    expect(await at.run(['leads', 'list', '--profile', 'reader'], { env: own })).toMatchObject({ code: 4 })
  })
})

describe('simulate key --save-as', () => {
  it('replaces a profile that has a key only when that is confirmed', async () => {
    const at = await SvcAt.start()
    const add = ['profiles', 'add', 'work', '--base-url', 'https://api.example', '--secret', '-']
    expect(await at.svc.run(add, { stdin: 'cs_live_customer' })).toMatchObject({ code: 0 })
    const path = join(at.svc.env['SVC_CONFIG_DIR'] ?? '', 'profiles.json')
    const before = readFileSync(path, 'utf8')
    const save = ['simulate', 'key', '--save-as', 'work', '--no-input']
    expect(await at.run(save)).toMatchObject({ code: 2, stdout: '' })
    expect(readFileSync(path, 'utf8')).toBe(before)
    const keys = async () => (await at.data<World>('simulate', 'world')).organizations[0]?.keys.length
    expect(await keys()).toBe(2)
    expect(await at.run([...save, '--yes'])).toMatchObject({ code: 0 })
    expect(readFileSync(path, 'utf8')).not.toContain('cs_live_customer')
    expect(await at.run(['simulate', 'key', '--save-as', 'new', '--no-input'])).toMatchObject({ code: 0 })
  })
})

describe('simulate campaign', () => {
  it('makes a campaign with hours, and changes one', async () => {
    const at = await SvcAt.start()
    const made = await at.data<CampaignInWorld>(
      'simulate',
      'campaign',
      '--name',
      'Autumn',
      '--hours',
      'mon-tue=09:00-12:00,13:00-17:00',
      '--lines',
      '2',
    )
    const day = [
      ['09:00', '12:00'],
      ['13:00', '17:00'],
    ]
    expect(made).toMatchObject({ name: 'Autumn', lines: 2, status: 'running', calling_hours: { mon: day, tue: day } })
    const changed = await at.data(
      'simulate',
      'campaign',
      made.id,
      '--no-consent-required',
      '--any-hour',
      '--spend-cap-usd',
      '12.5',
    )
    expect(changed).toMatchObject({ consent_required: false, any_hour: true, spend_cap_usd: 12.5, name: 'Autumn' })
    expect(await at.run(['simulate', 'campaign', made.id, '--hours', 'someday=9-5'])).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})

describe('simulate snapshot', () => {
  it('saves the state, puts it back and forgets it', async () => {
    const at = await SvcAt.start()
    expect(await at.data('simulate', 'snapshot', 'save', 'clean')).toMatchObject({ name: 'clean' })
    const { id } = await at.simulation.lead({})
    expect(await at.text('simulate', 'snapshot', 'list', '--columns', 'name', '--no-header')).toBe('clean\n')
    expect(await at.run(['simulate', 'snapshot', 'restore', 'clean'])).toMatchObject({ code: 2, stdout: '' })
    await at.text('simulate', 'snapshot', 'restore', 'clean', '--yes')
    expect((await at.client.get(`/leads/${id}`)).status).toBe(404)
    await at.text('simulate', 'snapshot', 'delete', 'clean', '--yes')
    expect(await at.data('simulate', 'snapshot', 'list')).toEqual([])
  })

  it('restore gives the saved profiles the keys of the snapshot, and changes no other profile', async () => {
    const at = await SvcAt.start()
    const own = { SVC_BASE_URL: '', SVC_KEY_ID: '', SVC_SECRET: '' }
    const list = (profile: string) => at.run(['leads', 'list', '--profile', profile], { env: own })
    await at.text('simulate', 'reset', '--yes', '--seed', '77')
    await at.text('simulate', 'snapshot', 'save', 'seventy-seven')
    await at.text('simulate', 'reset', '--yes', '--seed', '78')
    await at.text('profiles', 'remove', 'simulator', '--yes')
    const other = ['profiles', 'add', 'simulator', '--base-url', 'http://127.0.0.1:9', '--secret', '-']
    expect(await at.run(other, { stdin: 'cs_test_other' })).toMatchObject({ code: 0 })
    await at.text('simulate', 'snapshot', 'restore', 'seventy-seven', '--yes')
    expect(await list('simulator-live')).toMatchObject({ code: 0 })
    expect(await at.text('profiles', 'list', '--json')).toContain('127.0.0.1:9')
  })
})

describe('simulate reset', () => {
  it('goes back to the start once that is confirmed', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({})
    expect(await at.run(['simulate', 'reset'])).toMatchObject({ code: 2, stdout: '' })
    expect((await at.client.get(`/leads/${id}`)).status).toBe(200)
    expect(await at.data('simulate', 'reset', '--yes', '--now', '2026-11-01T12:00:00Z')).toMatchObject({
      now: '2026-11-01T12:00:00.000Z',
    })
    expect((await at.client.get(`/leads/${id}`)).status).toBe(404)
  })

  it('with another seed the profiles follow the keys', async () => {
    const at = await SvcAt.start()
    await at.text('simulate', 'reset', '--yes', '--seed', '77')
    const own = { SVC_BASE_URL: '', SVC_KEY_ID: '', SVC_SECRET: '' }
    expect(await at.run(['leads', 'list', '--profile', 'simulator-live'], { env: own })).toMatchObject({ code: 0 })
    expect(await at.run(['leads', 'list'])).toMatchObject({ code: 4 })
    await at.text('simulate', 'reset', '--yes')
    expect(await at.run(['leads', 'list', '--profile', 'simulator-live'], { env: own })).toMatchObject({ code: 0 })
    expect(await at.run(['leads', 'list'])).toMatchObject({ code: 0 })
  })

  it('touches no profile of another simulator', async () => {
    const at = await SvcAt.start()
    const other = ['profiles', 'add', 'simulator', '--base-url', 'http://127.0.0.1:9', '--secret', '-']
    expect(await at.run(other, { stdin: 'cs_test_other' })).toMatchObject({ code: 0 })
    await at.text('simulate', 'reset', '--yes')
    const profiles = JSON.parse(await at.text('profiles', 'list', '--json')) as object
    expect(JSON.stringify(profiles)).toContain('127.0.0.1:9')
    expect(JSON.stringify(profiles)).not.toContain(at.simulation.baseUrl)
  })
})

describe('what the simulator kept', () => {
  it('requests are listed by path and status, deliveries of every endpoint, and e-mails', async () => {
    const at = await SvcAt.start({ allowLocalWebhooks: true })
    await at.client.get('/leads/nobody')
    const found = await at.data<LoggedRequest[]>('simulate', 'requests', '--status', '404', '--limit', '5')
    expect(found).toMatchObject([{ method: 'GET', path: '/leads/nobody', status: 404, key_id: at.client.key.key_id }])

    await at.client.post('/webhook_endpoints', { url: 'http://127.0.0.1:1/', events: ['lead.created'] })
    await at.simulation.lead({})
    await at.simulation.advance('1s')
    expect(await at.data<Delivery[]>('simulate', 'deliveries', '--status', 'failed')).toMatchObject([
      { event_type: 'lead.created' },
    ])
    await at.simulation.advance('25h')
    await at.simulation.lead({})
    await at.simulation.advance('1s')
    const { admins } = at.simulation.organization
    expect(await at.data<Notification[]>('simulate', 'notifications')).toMatchObject([{ to: admins }])
  })

  it('says how to start a simulator where there is none', async () => {
    const svc = new Svc()
    const add = ['profiles', 'add', 'gone', '--base-url', 'http://127.0.0.1:1/api', '--secret', '-']
    await svc.run(add, { stdin: 'cs_test_none' })
    const hint = 'Is it running? svc simulate starts the simulator'
    const ran = await svc.run(['simulate', 'world', '--profile', 'gone'])
    expect(ran).toMatchObject({ code: 8, stderr: expect.stringContaining(hint) as string })
  })

  it('says so where the service is no simulator, in whatever words that has not found it', async () => {
    const at = await SvcAt.start()
    const plain = await PlainService.before(at.simulation.url)
    const api = await stubServer((_asked, response) => refuse(response, 404, 'not_found'))
    for (const { baseUrl } of [plain, api]) {
      const { code, stderr } = await at.run(['simulate', 'advance', '4m'], { env: { SVC_BASE_URL: baseUrl } })
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${new URL(baseUrl).origin} (environment SVC_BASE_URL) is not a simulator.`),
      })
    }
  })

  it('says what was not found where it is one', async () => {
    const at = await SvcAt.start()
    const ran = await at.run(['simulate', 'leads', 'take-out', 'nobody'])
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no lead "nobody".') as string })
  })
})
