/** Where `svc webhooks listen` begins and how it ends: the place it keeps, and what is on its way when it is stopped. */
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Listening } from '../../support/listening.js'
import type { Received } from '../../support/deliveries/receiver.js'
import { receive } from '../../support/deliveries/receivers.js'
import { SvcAt } from '../../support/programs/svc-at.js'

const idOf = ({ headers }: Received) => String(headers['service-event-id'])
const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)

/** The file of the one place there is. */
function placeOf(at: SvcAt): string {
  const folder = join(at.svc.env['SVC_CONFIG_DIR'] ?? '', 'listen')
  const [name = ''] = readdirSync(folder)
  return join(folder, name)
}

function changePlace(at: SvcAt, words: object): void {
  const kept = JSON.parse(readFileSync(placeOf(at), 'utf8')) as object
  writeFileSync(placeOf(at), JSON.stringify({ ...kept, ...words }))
}

/** A receiver that delays its answer to one event until it is released. */
async function holding(nth: number) {
  const held: { release: () => void; isHeld: boolean } = { release: () => undefined, isHeld: false }
  let turn = 0
  const receiver = await receive(async () => {
    if (turn++ === nth) {
      held.isHeld = true
      await new Promise<void>((resolve) => (held.release = resolve))
    }
    return {}
  })
  return { receiver, held }
}

describe('the end', () => {
  it('by Ctrl-C waits for what is on its way, says what was done, and is exit 130', async () => {
    const [at, { receiver, held }] = await Promise.all([SvcAt.start(), holding(1)])
    const listening = at.svc.start(['webhooks', 'listen', '--forward-to', receiver.url], at.env)
    await listening.says(/Ready/)
    await at.simulation.lead()
    await receiver.waitFor(2)
    listening.process.kill('SIGINT')
    await listening.says(/Stopping once what is on its way has ended/)
    held.release()
    const { code, stdout, stderr } = await listening.end()
    expect(code).toBe(130)
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(stderr).toMatch(/Stopped after \d+s: 2 delivered\.\n$/)
    expect(receiver.requests).toHaveLength(2)

    const next = await Listening.at(at, '--forward-to', receiver.url)
    expect(next.ready.after).toBe(idOf(receiver.requests[1] as Received))
    await receiver.waitFor(3)
    expect(receiver.requests.map(idOf)).toEqual(ids(await at.simulation.events()))
  })

  it('comes after two seconds all the same, and what was not answered by then comes again with the next run', async () => {
    const [at, { receiver }] = await Promise.all([SvcAt.start(), holding(1)])
    const listening = await Listening.at(at, '--forward-to', receiver.url)
    await at.simulation.lead()
    await receiver.waitFor(2)
    const { code, stdout } = await listening.running.kill('SIGTERM')
    expect(code).toBe(143)
    expect(stdout).toMatch(/\{"type":"stopped","delivered":1,"failed":0,"left":1\}\n$/)
    await Listening.at(at, '--forward-to', receiver.url)
    await receiver.waitFor(4)
    const [one, two, three] = ids(await at.simulation.events())
    expect(receiver.requests.map(idOf)).toEqual([one, two, two, three])
  })

  it('comes at once with a second Ctrl-C', async () => {
    const [at, { receiver }] = await Promise.all([SvcAt.start(), holding(0)])
    const listening = at.svc.start(['webhooks', 'listen', '--forward-to', receiver.url], at.env)
    await listening.says(/Ready/)
    await at.simulation.lead()
    await receiver.waitFor(1)
    listening.process.kill('SIGINT')
    await listening.says(/Ctrl-C again ends it at once/)
    const { code, stderr } = await listening.kill('SIGINT')
    expect(code).toBe(130)
    expect(stderr).not.toContain('Stopped')
  })

  it('comes without waiting for the next try of an event that was not taken', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive(500)])
    const listening = await Listening.at(at, '--forward-to', receiver.url, '--retry', '100')
    await at.simulation.lead()
    await receiver.waitFor(3)
    const { stdout } = await listening.running.kill('SIGINT')
    expect(stdout).toContain('"left":1')
  })

  it('is quiet when nobody reads on', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const words = `svc webhooks listen -o ndjson --forward-to ${receiver.url}`
    const ran = at.svc.shell(`${words} | head -1; echo "ended with $PIPESTATUS"`, { env: at.env })
    let isOver = false
    void ran.finally(() => (isOver = true))
    while (!isOver) {
      await at.simulation.lead()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(await ran).toMatchObject({ code: 0, stderr: '' })
    expect((await ran).stdout).toMatch(/^\{"type":"ready".*\}\nended with 0\n$/)
  })
})

describe('the next run of a profile', () => {
  it('goes on after the last event that was settled, and --since begins elsewhere', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    await at.simulation.lead()
    const first = await Listening.at(at, '--forward-to', receiver.url, '--max-events', '2')
    await at.simulation.lead()
    expect(await first.running.end()).toMatchObject({ code: 0 })
    const { mode } = statSync(placeOf(at))
    expect(mode & 0o777).toBe(0o600)
    const second = await Listening.at(at, '--forward-to', receiver.url, '--max-events', '1')
    expect(await second.running.end()).toMatchObject({ code: 0 })
    const all = ids(await at.simulation.events())
    expect(receiver.requests.map(idOf)).toEqual(all.slice(3, 6))

    const third = await Listening.at(
      at,
      '--forward-to',
      receiver.url,
      '--since',
      at.simulation.now,
      '--max-events',
      '6',
    )
    expect(await third.running.end()).toMatchObject({ code: 0 })
    expect(receiver.requests.slice(3).map(idOf)).toEqual(all)
    await at.simulation.lead()
    const fourth = await Listening.at(at, '--forward-to', receiver.url, '--since', 'now')
    await at.simulation.lead()
    await receiver.waitFor(10)
    expect(receiver.requests[9] && idOf(receiver.requests[9])).toBe(ids(await at.simulation.events())[9])
    expect(fourth.ready).toMatchObject({ since: 'now', after: ids(await at.simulation.events())[8] })
  })

  it('knows what was settled out of turn before it was killed, and sends the others alone', async () => {
    const [at, { receiver }] = await Promise.all([SvcAt.start(), holding(0)])
    const listening = await Listening.at(at, '--forward-to', receiver.url, '--concurrency', '2')
    for (let n = 0; n < 2; n++) await at.simulation.lead()
    const told = ids(await listening.records(5))
    await listening.running.kill('SIGKILL')
    const all = ids(await at.simulation.events())
    expect(told).toEqual(all.slice(1))
    await Listening.at(at, '--forward-to', receiver.url)
    await at.simulation.lead()
    await receiver.waitFor(10)
    expect(receiver.requests.slice(6).map(idOf)).toEqual([all[0], ...ids(await at.simulation.events()).slice(6)])
  })

  it('passes over what was not asked for, without forgetting where it is', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const flags = ['--forward-to', receiver.url, '--max-events', '1', '--events']
    const first = await Listening.at(at, ...flags, 'lead.queued')
    await at.simulation.lead()
    await first.running.end()
    const second = await Listening.at(at, ...flags, '*')
    await second.running.end()
    expect(receiver.requests.map(idOf)).toEqual(ids(await at.simulation.events()).slice(1))
  })

  it('begins now after more than a day, and says how to get what came since', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const first = await Listening.at(at, '--forward-to', receiver.url, '--max-events', '3')
    await at.simulation.lead()
    await first.running.end()
    changePlace(at, { at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
    await at.simulation.lead()
    const words = ['webhooks', 'listen', '--forward-to', receiver.url, '--max-events', '1']
    const second = at.svc.start(words, at.env)
    const [, flag = '', moment = ''] = await second.says(
      /more than a day ago\. (--since) (\S+Z) includes the events since then/,
    )
    await at.simulation.lead()
    await second.end()
    expect(idOf(receiver.requests[3] as Received)).toBe(ids(await at.simulation.events())[6])
    expect(await at.run([...words, flag, moment])).toMatchObject({ code: 0 })
    expect(receiver.requests).toHaveLength(5)
  })

  it('with another key begins now: the place is that of another account', async () => {
    const at = await SvcAt.start()
    const receiver = await receive()
    const keys = [at.client.key, at.simulation.test.key]
    const env = (key = keys[0]) => ({
      SVC_PROFILE: 'own',
      SVC_KEY_ID: key?.key_id ?? '',
      SVC_SECRET: key?.secret ?? '',
    })
    const login = ['login', '--profile', 'own', '--base-url', at.simulation.baseUrl, '--secret', '-']
    expect(await at.svc.run(login, { stdin: keys[0]?.secret ?? '' })).toMatchObject({ code: 0 })
    const first = await Listening.start(at.svc, env(), '--forward-to', receiver.url)
    await first.running.kill('SIGINT')
    await at.simulation.lead({ phone: '+15550100001' }, at.simulation.test)
    const second = await Listening.start(at.svc, env(keys[1]), '--forward-to', receiver.url)
    expect(second.ready.after).toBe(ids(await at.simulation.events(at.simulation.test)).at(-1))
  })

  it('beside one that sends to the same address begins now and leaves the place to it', async () => {
    const [at, one] = await Promise.all([SvcAt.start(), receive()])
    const first = await Listening.at(at, '--forward-to', one.url)
    const words = ['webhooks', 'listen', '--forward-to', one.url, '--max-events', '3']
    const second = at.svc.start(words, at.env)
    await second.says(/Starts now and does not save its position: another listener of this profile sends to the same/)
    await at.simulation.lead()
    await second.end()
    await first.records(3)
    await first.running.kill('SIGKILL')
    await at.simulation.lead()
    const third = await Listening.at(at, '--forward-to', one.url)
    expect(third.ready.after).toBe(ids(await at.simulation.events())[2])
  })

  it('has a place of its own for each address, and for printing', async () => {
    const [at, one, other] = await Promise.all([SvcAt.start(), receive(), receive()])
    const targets = [['--forward-to', one.url], ['--forward-to', other.url], []]
    const [first, second, printing] = await Promise.all(targets.map((target) => Listening.at(at, ...target)))
    await second?.running.kill('SIGINT')
    await at.simulation.lead()
    await Promise.all([first?.records(3), printing?.records(3)])
    await first?.running.kill('SIGINT')
    await printing?.running.kill('SIGINT')
    const all = ids(await at.simulation.events())
    const starts = await Promise.all(targets.map((target) => Listening.at(at, ...target)))
    expect(starts.map(({ ready }) => ready.after)).toEqual([all.at(-1), null, all.at(-1)])
    expect(await starts[1]?.records(3)).toMatchObject(all.map((id) => ({ id })))
    // A route is another target.
    const routed = await Listening.at(at, '--forward-to', one.url, '--route', `call.*=${other.url}`)
    expect(routed.ready.after).toBe(all.at(-1))
    expect(readdirSync(join(at.svc.env['SVC_CONFIG_DIR'] ?? '', 'listen'))).toHaveLength(4)
  })

  it('does not go back behind its place after an earlier --since with a --limit', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const flags = ['--forward-to', receiver.url]
    const began = at.simulation.now
    const first = await Listening.at(at, ...flags, '--limit', '6')
    for (let n = 0; n < 2; n++) {
      await at.simulation.lead()
      await at.simulation.advance('1s')
    }
    await first.running.end()
    const all = ids(await at.simulation.events())
    const place = JSON.parse(readFileSync(placeOf(at), 'utf8')) as { after: { id: string } }
    expect(all).toContain(place.after.id)
    const again = await Listening.at(at, ...flags, '--since', began, '--limit', '2')
    expect(ids(await again.records(2))).toEqual(all.slice(0, 2))
    await again.running.end()
    expect(JSON.parse(readFileSync(placeOf(at), 'utf8'))).toMatchObject({ after: place.after, pid: 0 })
    // It goes on once it has come past its place.
    const past = await Listening.at(at, ...flags, '--since', began, '--limit', String(all.indexOf(place.after.id) + 2))
    await at.simulation.lead()
    await past.running.end()
    const next = await Listening.at(at, ...flags)
    expect(next.ready.after).toBe(ids(await at.simulation.events())[all.indexOf(place.after.id) + 1])
  })

  it('cannot know where this one was if that cannot be written down, which is said and hinders nothing', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const folder = at.svc.env['SVC_CONFIG_DIR'] ?? ''
    mkdirSync(folder, { recursive: true })
    symlinkSync(join(folder, 'nowhere', 'at', 'all'), join(folder, 'listen'))
    const words = ['webhooks', 'listen', '--forward-to', receiver.url, '--max-events', '3']
    const listening = at.svc.start(words, at.env)
    await listening.says(/Ready/)
    await at.simulation.lead()
    const { code, stderr } = await listening.end()
    expect(code).toBe(0)
    expect(stderr.match(/could not be written: \w+\. The next run will not know where this one was\./g)).toHaveLength(1)
  })

  it('does not guess what a place that cannot be read meant', async () => {
    const [at, receiver] = await Promise.all([SvcAt.start(), receive()])
    const first = await Listening.at(at, '--forward-to', receiver.url)
    await first.running.kill('SIGINT')
    writeFileSync(placeOf(at), '{}')
    expect(await at.run(['webhooks', 'listen', '--forward-to', receiver.url])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is not a listener's place this version understands[^]*Remove it/),
    })
  })
})
