/** The words that `svc complete` lists. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyCommand, Svc } from '../../support/programs/svc.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { json, stubServer } from '../../support/servers/stub-server.js'

interface Completed {
  kind: string
  words: string[]
}

/** Completes the last word. `shell` decides on quoting only. */
async function completed(svc: Svc, words: readonly string[], env = {}, shell = 'fish'): Promise<Completed> {
  const { code, stdout, stderr } = await svc.run(['complete', shell, '--', ...words], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [kind = '', ...lines] = stdout.trimEnd().split('\n')
  return { kind, words: lines.map((line) => line.split('\t')[0] ?? '') }
}

const words = (...all: string[]): Completed => ({ kind: 'words', words: all })
const some = (...all: string[]) => ({ kind: 'words', words: expect.arrayContaining(all) as string[] })

const fixed: [typed: string, expected: object][] = [
  ['', some('leads', 'doctor', 'simulate', 'help')],
  ['lea', words('leads')],
  ['simulate snapshot ', words('delete', 'list', 'restore', 'save')],
  ['leads list --status q', words('queued')],
  ['leads list --status=q', words('--status=queued')],
  ['-o json leads list --sta', words('--status', '--starting-after')],
  ['leads list -o nd', words('ndjson')],
  ['leads list --json --js', words()],
  ['autocomplete z', words('zsh')],
  ['leads add --no-c', words('--no-call-now', '--no-color')],
  ['webhooks trigger call.c', words('call.completed')],
  ['leads list --columns id,pho', { kind: 'list', words: ['id,phone'] }],
  ['leads list --json id,pho', { kind: 'list', words: ['id,phone'] }],
  ['leads list --json=id,pho', { kind: 'list', words: ['--json=id,phone'] }],
  ['leads list --json pho', { kind: 'list', words: ['phone'] }],
  ['leads --json li', words('list')],
  ['leads --json id,name li', words('list')],
  ['leads get --json id,pho', { kind: 'list', words: ['id,phone'] }],
  ['help ', some('leads', 'exit-codes', 'environment', 'output')],
  ['help webhooks lis', words('list', 'listen')],
  ['events list --type call.c', words('call.completed')],
  ['leads import ', { kind: 'files csv|tsv|txt|xlsx|json|jsonl|ndjson', words: [] }],
  ['plan --leads bi', { kind: 'files csv|tsv|txt|xlsx|json|jsonl|ndjson', words: [] }],
  ['exports create --download ', { kind: 'files csv', words: [] }],
  ['simulate --world ', { kind: 'files json', words: [] }],
  ['api --input ', { kind: 'files', words: [] }],
  ['simulate key --permission leads:r', { kind: 'list', words: ['leads:read'] }],
  ['simulate fault --code queue', words('queue_full')],
  ['simulate organization --time-zone America/New', words('America/New_York')],
  ['webhooks listen --exec -- ', { kind: 'files', words: [] }],
  ['leads get ', words()],
  ['nosuch ', words()],
]

describe('svc complete', () => {
  it.each(fixed)('completes %j', async (typed, expected) => {
    const env = { SVC_SECRET: '', SVC_BASE_URL: '' }
    expect(await completed(new Svc(), typed.split(' '), env)).toEqual(expected)
  })

  it.each(everyCommand())('has an answer within %s', async (typed) => {
    const { kind } = await completed(new Svc(), [...typed.split(' '), '--'])
    expect(kind).toBe('words')
  })

  it.each(everyCommand().filter(([typed]) => / list$/.test(typed)))('knows the columns of %s', async (typed) => {
    const { words: found } = await completed(new Svc(), [...typed.split(' '), '--columns', ''])
    expect(found.length).toBeGreaterThan(0)
  })

  it('keeps the rest of a list of events', async () => {
    const typed = ['webhooks', 'create', '--event', 'call.completed,lead.c']
    expect(await completed(new Svc(), typed)).toEqual({ kind: 'list', words: ['call.completed,lead.created'] })
  })

  it('lists profiles, also behind a flag of the same word', async () => {
    const svc = new Svc()
    mkdirSync(join(svc.folder, 'config'), { mode: 0o700 })
    const profiles = { work: { base_url: 'http://127.0.0.1:9/api/v1/external' }, home: {} }
    writeFileSync(join(svc.folder, 'config', 'profiles.json'), JSON.stringify({ current: null, profiles }))
    expect(await completed(svc, ['profiles', 'use', ''])).toEqual(words('home', 'work'))
    expect(await completed(svc, ['leads', 'list', '--profile', 'w'])).toEqual(words('work'))
  })

  it('lists campaigns by name, in any case, and endpoints and snapshots by id', async () => {
    const { simulation, env, svc } = await SvcAt.start()
    const { name } = await simulation.campaign({ name: 'Solar roofs' })
    expect(await completed(svc, ['leads', 'list', '--campaign', 'sol'], env)).toEqual(words(name))
    expect(await completed(svc, ['leads', 'list', '--campaign', '"So'], env, 'bash')).toEqual(words(name))
    expect(await completed(svc, ['campaigns', 'get', 'So'], env, 'bash')).toEqual(words(String.raw`Solar\ roofs`))
    expect(await completed(svc, ['leads', 'list', '--campaign', '=', 'So'], env, 'bash')).toEqual(
      words(String.raw`Solar\ roofs`),
    )
    expect(await completed(svc, ['simulate', 'campaign', 'sol'], env)).toEqual(words(name))
    // The beginning of an id, which a table or a log shows, gives the whole one.
    const { campaignId } = simulation
    for (const typed of [
      ['leads', 'list', '--campaign'],
      ['campaigns', 'get'],
    ])
      expect(await completed(svc, [...typed, campaignId.slice(0, 6)], env)).toEqual(words(campaignId))
    const quoted = await simulation.campaign({ name: "Bob's solar (north)" })
    expect(await completed(svc, ['leads', 'list', '--campaign', 'Bob'], env, 'bash')).toEqual(
      words(String.raw`Bob\'s\ solar\ \(north\)`),
    )
    expect(await completed(svc, ['leads', 'list', '--campaign', quoted.id.slice(0, 8)], env)).toEqual(words(quoted.id))
    await simulation.control('POST', '/_sim/snapshots', { name: 'clean' })
    expect(await completed(svc, ['simulate', 'snapshot', 'restore', ''], env)).toEqual(words('clean'))
  })

  it('lists leads by phone, and their calls, by id', async () => {
    const { simulation, env, svc } = await SvcAt.start({}, 'test')
    const phone = '+15550100001'
    await simulation.lead({ phone, name: 'Ann' }, simulation.test)
    await simulation.advance('4m')
    const { stdout } = await svc.run(['complete', 'zsh', '--', 'leads', 'get', ''], { env })
    expect(stdout).toBe(`words\n${phone}\tAnn, done\n`)
    expect(await completed(svc, ['calls', 'start', '--lead', '+1'], env)).toEqual(words(phone))
    expect(await completed(svc, ['simulate', 'leads', 'take-out', ''], env)).toEqual(words(phone))
    const calls = await svc.run(['complete', 'zsh', '--', 'calls', 'get', ''], { env })
    expect(calls.stdout).toMatch(/^words\n[0-9a-f-]{36}\tAnn: interested, \d{4}-\d\d-\d\d \d\d:\d\d\n$/)
  })

  it('finds a lead by the beginning of its name or of its id, too', async () => {
    const { simulation, env, svc } = await SvcAt.start()
    const { id } = await simulation.lead({ phone: '+12125557812', name: 'Mary Jones' })
    const get = (typed: string, shell?: string) => completed(svc, ['leads', 'get', typed], env, shell)
    expect(await get('')).toEqual(words('+12125557812'))
    expect(await get('mar')).toEqual(words('Mary Jones'))
    expect(await get('Mar', 'bash')).toEqual(words(String.raw`Mary\ Jones`))
    expect(await get(id.slice(0, 6))).toEqual(words(id))
    expect(await get('nobody')).toEqual(words())
  })

  it('finds a lead by its name that is older than the newest 50', async () => {
    const { simulation, client, env, svc } = await SvcAt.start()
    await simulation.changeCampaign({ status: 'paused' })
    await simulation.lead({ phone: '+12125557812', name: 'Bob Fox' }, client)
    for (let from = 0; from < 120; from += 60) {
      const leads = Array.from({ length: 60 }, (_, nth) => ({ phone: `+1415555${2000 + from + nth}`, name: 'Ann' }))
      await client.post('/leads/batch', { campaign_id: simulation.campaignId, leads })
    }
    expect(await completed(svc, ['leads', 'explain', 'bob'], env)).toEqual(words('Bob Fox'))
  })

  it('lists events newest first, with their leads', async () => {
    const { simulation, env, svc } = await SvcAt.start()
    await simulation.lead({ name: 'Mary Jones' })
    await simulation.advance('4m')
    const newestFirst = (await simulation.events()).map(({ id }) => id).reverse()
    expect(await completed(svc, ['events', 'get', 'evt_'], env)).toEqual(words(...newestFirst))
    const { stdout } = await svc.run(['complete', 'zsh', '--', 'events', 'resend', ''], { env })
    expect(stdout).toMatch(/\nevt_\w+\tlead\.created, Mary Jones, \d{4}-\d\d-\d\d \d\d:\d\d\n/)
  })

  it('lists the deliveries to send again, of every endpoint or of the one before, and the endpoints', async () => {
    const at = await SvcAt.start({ allowLocalWebhooks: true })
    const create = ['webhooks', 'create', '--url', 'http://127.0.0.1:9/', '--event', 'lead.created']
    const [one, other] = [await at.data<{ id: string }>(...create), await at.data<{ id: string }>(...create)]
    await at.simulation.lead()
    const deliveryTo = async ({ id }: { id: string }) =>
      (await at.data<{ id: string }[]>('webhooks', 'deliveries', id)).map((delivery) => delivery.id)
    const [[first = ''], [second = '']] = [await deliveryTo(one), await deliveryTo(other)]
    const resend = (...typed: string[]) => completed(at.svc, ['webhooks', 'resend', ...typed], at.env)
    const { words: all } = await resend('')
    expect([...all].sort()).toEqual([one.id, other.id, first, second].sort())
    expect(await resend(second.slice(0, 8))).toEqual(words(second))
    expect(await resend(one.id, '')).toEqual(words(first))
    expect(await completed(at.svc, ['webhooks', 'get', other.id.slice(0, 8)], at.env)).toEqual(words(other.id))
    const { stdout } = await at.svc.run(['complete', 'zsh', '--', 'webhooks', 'resend', one.id, ''], { env: at.env })
    expect(stdout).toMatch(/\n[0-9a-f-]{36}\tlead\.created, \w+, \d{4}-\d\d-\d\d \d\d:\d\d\n$/)
  })

  it('lists the worlds, keys and organizations of a simulator', async () => {
    const at = await SvcAt.alone()
    const { id } = await at.data<{ id: string }>('simulate', 'worlds', 'create', '--name', 'checkout')
    expect(await completed(at.svc, ['simulate', 'worlds', 'delete', ''], at.env)).toEqual(words(id))
    expect(await completed(at.svc, ['simulate', 'worlds', 'diff', 'main', ''], at.env)).toEqual(some('main', id))
    expect(await completed(at.svc, ['simulate', 'worlds', 'create', '--from', 'm'], at.env)).toEqual(words('main'))
    expect(await completed(at.svc, ['simulate', 'key', 'ck_test'], at.env)).toEqual(
      words(expect.stringMatching(/^ck_test_/) as string),
    )
    expect((await completed(at.svc, ['simulate', 'organization', ''], at.env)).words).toHaveLength(1)
  })

  it('is silent and quick where the service hangs, fails or is away', async () => {
    const { baseUrl: hangs } = await stubServer(() => undefined)
    const { baseUrl: fails } = await stubServer((_asked, response) => json(response, 500, {}))
    for (const SVC_BASE_URL of [hangs, fails, 'http://127.0.0.1:9/api/v1/external', 'nonsense']) {
      const env = { SVC_BASE_URL, SVC_SECRET: 'cs_test_a' }
      expect(await completed(new Svc(), ['leads', 'list', '--campaign', ''], env)).toEqual(words())
    }
  })

  it('asks for no other path than was meant', async () => {
    const { baseUrl, asked } = await stubServer((_asked, response) => json(response, 200, { data: [] }))
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
    for (const endpoint of ['..', '../x']) await completed(new Svc(), ['webhooks', 'resend', endpoint, ''], env)
    expect(asked.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/webhook_endpoints\/\.\.%2Fx\/deliveries/)])
  })

  it('sends no key of a profile to another address', async () => {
    const { baseUrl, asked } = await stubServer((_asked, response) => json(response, 200, { data: [] }))
    const svc = new Svc()
    mkdirSync(join(svc.folder, 'config'), { mode: 0o700 })
    const work = { base_url: 'https://example.com/api/v1/external', secret: 'cs_live_canary' }
    writeFileSync(join(svc.folder, 'config', 'profiles.json'), JSON.stringify({ current: 'work', profiles: { work } }))
    await completed(svc, ['campaigns', 'get', '--base-url', baseUrl, ''])
    expect(asked).toEqual([])
  })
})
