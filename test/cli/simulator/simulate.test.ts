/** `svc simulate` and each of its flags, by the built program. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import type { World } from '../../../src/contract/control/world.js'
import { Svc, type RunningSvc } from '../../support/programs/svc.js'

/** What the simulator prints for programs when it is ready. */
interface Ready {
  url: string
  base_url: string
  now: string
  speed: number
  paused: boolean
  data: string
  resumed: boolean
  control_token: string | null
  profile: string | null
  organization_id: string
  campaign_id: string
  test: { key_id: string; secret: string }
  live: { key_id: string; secret: string }
  pid: number
}

const noon = '2026-10-01T16:00:00.000Z'
const memory = ['--data', ':memory:']

/** A simulator that is ready; it ends with the test file at the latest. */
async function started(svc: Svc, ...flags: string[]): Promise<{ ready: Ready; simulator: RunningSvc }> {
  const simulator = svc.start(['simulate', '--port', '0', '--json', ...flags])
  return { ready: JSON.parse(await simulator.line()) as Ready, simulator }
}

const ended = (simulator: RunningSvc) => simulator.kill('SIGTERM')

async function get<T>(url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: got, body } = await request(url, { headers })
  const { data } = (await body.json()) as { data: T }
  return { status: statusCode, headers: got, data }
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

describe('svc simulate', () => {
  it('says all that a program needs to know, on one line, and answers from then on', async () => {
    const svc = new Svc()
    const { ready, simulator } = await started(svc, ...memory, '--paused', '--now', '2026-10-01T12:00:00-04:00')
    const [organization] = (await get<World>(`${ready.url}/_sim/world`)).data.organizations
    const campaign = organization?.campaigns[0]
    expect(ready).toEqual({
      ready: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      base_url: `${ready.url}/api/v1/external`,
      console_url: `${ready.url}/console/`,
      now: noon,
      speed: 1,
      paused: true,
      data: ':memory:',
      resumed: false,
      control_token: null,
      profile: 'simulator',
      organization_id: organization?.id,
      campaign_id: campaign?.id,
      campaigns: [{ id: campaign?.id, name: campaign?.name, status: 'running' }],
      test: {
        key_id: expect.stringMatching(/^ck_test_/) as string,
        secret: expect.stringMatching(/^cs_test_/) as string,
      },
      live: {
        key_id: expect.stringMatching(/^ck_live_/) as string,
        secret: expect.stringMatching(/^cs_live_/) as string,
      },
      pid: simulator.process.pid,
    })
    expect((await get(`${ready.url}/_sim/health`)).data).toMatchObject({ status: 'ok', base_url: ready.base_url })
    expect((await get(`${ready.base_url}/leads`, bearer(ready.live.secret))).status).toBe(200)
    expect(readdirSync(join(svc.folder, 'config'))).toEqual(['profiles.json'])
    expect(existsSync(join(svc.folder, 'data'))).toBe(false)
    await ended(simulator)
  })

  it('leaves another profile in use, and names its own in each command that it tells a person to type', async () => {
    const svc = new Svc()
    const add = ['profiles', 'add', 'work', '--use', '--base-url', 'http://127.0.0.1:1', '--secret', '-']
    expect(await svc.run(add, { stdin: 'cs_test_work' })).toMatchObject({ code: 0 })
    const simulator = svc.start(['simulate', '--port', '0', '--paused', ...memory])
    await simulator.says(/Ctrl-C stops it/)
    const [said = ''] = await simulator.says(/Next, in another terminal:[^]*Ctrl-C/)
    const lines = said.match(/svc .*/g) ?? []
    expect(lines.map((line) => line.split(' ').slice(1, 3))).toEqual([
      ['leads', 'add'],
      ['simulate', 'advance'],
      ['leads', 'list'],
    ])
    for (const line of lines) expect(await svc.shell(line)).toMatchObject({ code: 0 })
    await ended(simulator)
  })

  it('keeps what happens in a file of its own place, readable by its owner alone, and says where and what', async () => {
    const svc = new Svc()
    const simulator = svc.start(['simulate', '--port', '0'])
    await simulator.says(/Ctrl-C stops it/)
    const file = join(svc.folder, 'data', 'simulator.db')
    const modes = readdirSync(join(svc.folder, 'data')).map(
      (name) => statSync(join(svc.folder, 'data', name)).mode & 0o777,
    )
    expect([...new Set(modes)]).toEqual([0o600])
    expect(statSync(join(svc.folder, 'data')).mode & 0o777).toBe(0o700)
    const { stderr } = await ended(simulator)
    expect(stderr).toContain(`Data       ${file} (a fresh world)`)
  })

  it('says that flags which describe a fresh world changed nothing of one that is stored', async () => {
    const svc = new Svc()
    writeFileSync(join(svc.folder, 'world.json'), '{"organizations":["Mine"]}')
    const first = await started(svc, '--paused', '--now', '2026-01-01T00:00:00Z', '--seed', '5')
    await ended(first.simulator)
    const others = ['--seed', '9', '--now', noon, '--world', 'world.json']
    const said =
      'The data file already holds a world: --seed, --now, --world changed nothing. --fresh starts a new world.'
    const second = svc.start(['simulate', '--port', '0', ...others])
    await second.says(/Ctrl-C stops it/)
    const { stderr } = await ended(second)
    expect(stderr).toContain(said)
    expect(stderr).toContain('(goes on with 0 leads and 0 calls)')
    expect(stderr).toContain('Clock      2026-01-01T00:00:00.000Z, standing still')
    const third = await started(svc, ...others)
    expect(third.ready).toMatchObject({ resumed: true, now: '2026-01-01T00:00:00.000Z', live: first.ready.live })
    expect((await ended(third.simulator)).stderr).toBe(`${said}\n\nStopping.\n`)
    const fresh = await started(svc, '--fresh', '--paused', ...others)
    expect(fresh.ready).toMatchObject({ resumed: false, now: noon })
    expect((await get<World>(`${fresh.ready.url}/_sim/world`)).data.organizations).toMatchObject([{ name: 'Mine' }])
    expect((await ended(fresh.simulator)).stderr).toBe('\nStopping.\n')
  })

  it('--speed and --paused change how a stored world goes on; without them it goes on as it was', async () => {
    const svc = new Svc()
    const first = await started(svc, '--now', noon, '--speed', '60')
    expect(first.ready).toMatchObject({ speed: 60, paused: false })
    await ended(first.simulator)
    const as = async (...flags: string[]) => {
      const { ready, simulator } = await started(svc, ...flags)
      await ended(simulator)
      return [ready.speed, ready.paused]
    }
    expect(await as()).toEqual([60, false])
    expect(await as('--paused')).toEqual([60, true])
    expect(await as('--speed', '0.5')).toEqual([0.5, true])
    expect(await as()).toEqual([0.5, true])
  })

  it('--seed gives the same ids and secrets every time, and others for another', async () => {
    const worlds: string[] = []
    for (const seed of ['7', '7', '8']) {
      const { ready, simulator } = await started(new Svc(), ...memory, '--seed', seed, '--now', noon, '--paused')
      worlds.push(JSON.stringify((await get<World>(`${ready.url}/_sim/world`)).data))
      await ended(simulator)
    }
    expect(worlds[1]).toBe(worlds[0])
    expect(worlds[2]).not.toBe(worlds[0])
  })

  it('--world says who is there', async () => {
    const svc = new Svc()
    const secret = 'cs_live_mine'
    const world = { organizations: [{ name: 'Mine', keys: [{ mode: 'live', secret }], members: ['Kim'] }] }
    writeFileSync(join(svc.folder, 'world.json'), JSON.stringify(world))
    const { ready, simulator } = await started(svc, ...memory, '--world', 'world.json')
    expect(ready.live.secret).toBe(secret)
    expect((await get<World>(`${ready.url}/_sim/world`)).data.organizations).toMatchObject([{ name: 'Mine' }])
    await ended(simulator)
  })

  it('--no-limits lifts the limits a minute and their headers, and no other limit', async () => {
    for (const flags of [[], ['--no-limits']]) {
      const { ready, simulator } = await started(new Svc(), ...memory, ...flags)
      const asked = await Promise.all(
        Array.from({ length: 30 }, () => get(`${ready.base_url}/leads`, bearer(ready.live.secret))),
      )
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(flags.length > 0 ? [200] : [200, 429]))
      const names = Object.keys(asked[0]?.headers ?? {}).filter((name) => /^ratelimit/i.test(name))
      expect(names).toHaveLength(flags.length > 0 ? 0 : 3)
      const { body, statusCode } = await request(`${ready.base_url}/leads/batch`, {
        method: 'POST',
        headers: { ...bearer(ready.test.secret), 'content-type': 'application/json' },
        body: JSON.stringify({ leads: Array.from({ length: 61 }, () => ({ phone: '+16462010000' })) }),
      })
      await body.dump()
      expect(statusCode).toBe(400)
      await ended(simulator)
    }
  })

  it.each([
    [[], 400],
    [['--allow-local-webhooks'], 201],
  ])('takes webhooks to this machine only where it was told to: %j answers %i', async (flags, expected) => {
    const { ready, simulator } = await started(new Svc(), ...memory, ...flags)
    const { statusCode, body } = await request(`${ready.base_url}/webhook_endpoints`, {
      method: 'POST',
      headers: { ...bearer(ready.test.secret), 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/hooks', events: ['lead.created'] }),
    })
    await body.dump()
    expect(statusCode).toBe(expected)
    await ended(simulator)
  })

  it('--port 0 finds a port of its own for each', async () => {
    const [one, two] = [await started(new Svc(), ...memory), await started(new Svc(), ...memory)]
    expect(one.ready.url).not.toBe(two.ready.url)
    await Promise.all([ended(one.simulator), ended(two.simulator)])
  })

  it('leaves a file alone that another simulator uses, with --fresh too', async () => {
    const svc = new Svc()
    const data = join(svc.folder, 'world.db')
    const { ready, simulator } = await started(svc, '--data', data)
    for (const flags of [[], ['--fresh']]) {
      const second = await svc.run(['simulate', '--port', '0', '--data', data, ...flags])
      expect(second).toMatchObject({ code: 1, stdout: '' })
      expect(second.stderr).toBe(
        `Error: The data file ${data} cannot be used: another simulator is using it. Nothing in it was changed.\n` +
          '  Use that one: svc whoami shows the address in use. Or start one more: svc simulate --port 0 --data :memory:\n',
      )
    }
    expect((await get(`${ready.base_url}/leads`, bearer(ready.live.secret))).status).toBe(200)
    await ended(simulator)
    const again = await started(svc, '--data', data)
    expect(again.ready).toMatchObject({ resumed: true, live: ready.live })
    await ended(again.simulator)
  })

  it.each([
    [['--now', 'yesterday'], /"yesterday" is not an ISO 8601 date-time with its zone/],
    [['--speed', 'fast'], /--speed fast is not a number above 0\./],
    [['--speed', '1e999'], /--speed 1e999 is not a number above 0\./],
    [['--seed', '1.5'], /--seed/],
    [['--port', '70000'], /--port/],
    [['--host', '0.0.0.0', '--control-token', ''], /control token/],
    [['--host', '0.0.0.0', '--control-token', 'two words'], /control token/],
    [['--world', 'nowhere.json'], /The world file nowhere\.json cannot be read/],
    [['--world', 'broken.json'], /The world file broken\.json is not JSON/],
  ])('%j is a mistake, told in words, and nothing is left behind', async (flags, words) => {
    const svc = new Svc()
    writeFileSync(join(svc.folder, 'broken.json'), '{"organizations":')
    const { code, stdout, stderr } = await svc.run(['simulate', '--port', '0', '--data', 'world.db', ...flags])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(words)
    expect(stderr).not.toMatch(/\n {4}at /)
    expect(readdirSync(svc.folder)).not.toContain('world.db')
  })

  it.each([
    ['nowhere/world.db', 'its folder does not exist'],
    ['taken', 'this program may not write it'],
    ['notes.txt', 'it is not a data file of this program'],
  ])('says why it cannot use the data file %s', async (data, why) => {
    const svc = new Svc()
    mkdirSync(join(svc.folder, 'taken'))
    const notes = 'These are my notes, not a database. '.repeat(100)
    writeFileSync(join(svc.folder, 'notes.txt'), notes)
    const { code, stderr } = await svc.run(['simulate', '--port', '0', '--data', data])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Error: The data file ${data} cannot be used: ${why}. Nothing in it was changed.\n`,
    })
    expect(readFileSync(join(svc.folder, 'notes.txt'), 'utf8')).toBe(notes)
  })

  it('says so when the folder for its data cannot be made', async () => {
    const svc = new Svc()
    writeFileSync(join(svc.folder, 'file'), '')
    const env = { SVC_DATA_DIR: join(svc.folder, 'file', 'data') }
    const { code, stderr } = await svc.run(['simulate', '--port', '0'], { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^Error: The folder \S+file\/data cannot be made: a part of the path is a file\. Name another with SVC_DATA_DIR, [^\n]*\n$/,
    )
    const itself = await svc.run(['simulate', '--port', '0'], { env: { SVC_DATA_DIR: join(svc.folder, 'file') } })
    expect(itself.stderr).toMatch(/^Error: The folder \S+file cannot be made: it is a file\. /)
  })

  it('says what a port can be', async () => {
    expect(await new Svc().run(['simulate', '--port', 'abc'])).toMatchObject({
      code: 2,
      stderr: 'Error: --port "abc": not a whole number.\n  Use a whole number, such as 4011, or 0 for any free port.\n',
    })
  })

  it('says every place where a world file is wrong, to a person and to a program', async () => {
    const svc = new Svc()
    const campaigns = [{ name: 'B', lines: 'many' }, { lines: 1 }]
    writeFileSync(join(svc.folder, 'world.json'), JSON.stringify({ organizations: [{ name: 'A', campaigns }] }))
    const words = ['simulate', '--port', '0', ...memory, '--world', 'world.json']
    const person = await svc.run(words)
    expect(person.code).toBe(2)
    expect(person.stderr.split('\n')).toEqual([
      'Error: The world file world.json cannot be used:',
      expect.stringMatching(/^ {2}organizations\[0\]\.campaigns\[0\]\.lines: /),
      '  organizations[0].campaigns[1].name: this is required',
      '',
    ])
    const program = JSON.parse((await svc.run([...words, '--json'])).stderr) as { error: { details: string[] } }
    expect(program.error.details).toHaveLength(2)
  })
})

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

describe('svc simulate --host', () => {
  it('makes a token, tells it to a person and to a program, and asks for it', async () => {
    const svc = new Svc()
    const { ready, simulator } = await started(svc, ...memory, '--host', '0.0.0.0')
    expect(ready.control_token).toMatch(/^[\w-]{32}$/)
    expect((await get(`${ready.url}/_sim/clock`)).status).toBe(401)
    expect((await get(`${ready.url}/_sim/clock`, bearer(ready.control_token ?? ''))).status).toBe(200)
    expect((await get(`${ready.base_url}/leads`, bearer(ready.live.secret))).status).toBe(200)
    if (outside !== undefined)
      expect((await get(`${ready.url.replace('127.0.0.1', outside)}/_sim/clock`)).status).toBe(401)
    const refused = await svc.run(['simulate', 'clock'])
    expect(refused).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('SVC_CONTROL_TOKEN') as string,
    })
    const token = ['--control-token', ready.control_token ?? '']
    expect(await svc.run(['simulate', 'clock', ...token])).toMatchObject({ code: 0 })
    const env = { SVC_CONTROL_TOKEN: ready.control_token ?? '' }
    expect(await svc.run(['simulate', 'clock'], { env })).toMatchObject({ code: 0 })
    const { stderr } = await svc.run(['simulate', 'clock', '--verbose', ...token])
    expect(stderr).not.toContain(ready.control_token)
    await ended(simulator)
    const shown = svc.start([
      'simulate',
      '--port',
      '0',
      ...memory,
      '--host',
      '0.0.0.0',
      '--control-token',
      'open-sesame',
    ])
    await shown.says(/Token {6}open-sesame/)
    await ended(shown)
  })
})
