/** Which key goes to which address: only where it was stored, or where it was typed on purpose. */
import { describe, expect, it } from 'vitest'
import { Profiles, type Profile } from '../../../src/config/profiles.js'
import { defaultBaseUrl, resolveSettings } from '../../../src/config/settings.js'
import { json, stubServer, type Stub } from '../../support/servers/stub-server.js'
import { Svc } from '../../support/programs/svc.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const own = 'https://own.example/api/v1/external'
const other = 'https://other.example/api/v1/external'
const stored = { key_id: 'ck_live_stored', secret: 'cs_live_stored' }

const kept: readonly Profile[] = [
  { base_url: own, ...stored },
  { base_url: own },
  stored,
  { base_url: own, secret: stored.secret },
  {},
]
const addresses = [undefined, '', own, `${own}/v2`, other, defaultBaseUrl, 'https://own.example:8443']

function* combinations() {
  for (const profile of kept)
    for (const chosenBy of ['none', 'flag', 'variable', 'in use'] as const) {
      const profiles = Profiles.open(temporaryFolder())
      profiles.put('work', profile)
      if (chosenBy === 'in use') profiles.use('work')
      for (const flag of addresses)
        for (const variable of addresses)
          for (const secret of [undefined, '', 'cs_test_typed', stored.secret])
            for (const keyId of [undefined, 'ck_test_typed'])
              yield { profile, chosenBy, profiles, flag, variable, secret, keyId }
    }
}

describe('a key', () => {
  it('goes only to its own address, in every combination of flag, environment and profile', () => {
    for (const { profiles, ...one } of combinations()) {
      const settings = resolveSettings({
        flags: { 'base-url': one.flag, profile: one.chosenBy === 'flag' ? 'work' : undefined },
        env: {
          SVC_BASE_URL: one.variable,
          SVC_SECRET: one.secret,
          SVC_KEY_ID: one.keyId,
          SVC_PROFILE: one.chosenBy === 'variable' ? 'work' : undefined,
        },
        profiles,
      })
      const chosen: Profile = one.chosenBy === 'none' ? {} : one.profile
      const home = chosen.base_url ?? defaultBaseUrl
      const isHome = new URL(settings.baseUrl.value).origin === new URL(home).origin
      const isTypedTogether = one.chosenBy === 'flag' && Boolean(one.flag)
      const isStoredKeyLeft = chosen.secret !== undefined && !one.secret
      const mayTravel = isStoredKeyLeft && (isHome || isTypedTogether)
      const address = new URL(one.flag || one.variable || home)
      if (address.pathname === '/') address.pathname = '/api/v1/external'
      const secret = one.secret || (mayTravel ? stored.secret : undefined)
      const seen = [settings.baseUrl.value, settings.secret?.value, settings.withheld !== undefined]
      expect(seen, JSON.stringify(one)).toEqual([address.href, secret, isStoredKeyLeft && !mayTravel])
      const isOwnId = chosen.secret !== undefined && secret === chosen.secret
      expect(settings.keyId?.value, JSON.stringify(one)).toBe(one.keyId ?? (isOwnId ? chosen.key_id : undefined))
    }
  })
})

const anyReply = (): Promise<Stub> =>
  stubServer((_asked, response) =>
    json(response, 200, { data: [{ id: '1' }], meta: { next_cursor: null, has_more: false } }),
  )

const keysAsked = ({ asked }: Stub) => asked.map(({ headers }) => headers.authorization)

async function withProfile() {
  const [home, stranger] = [await anyReply(), await anyReply()]
  const svc = new Svc()
  const add = ['profiles', 'add', 'work', '--use', '--base-url', home.baseUrl, '--secret', '-']
  expect(await svc.run(add, { stdin: stored.secret })).toMatchObject({ code: 0 })
  return { svc, home, stranger }
}

describe("a profile's key", () => {
  it.each(['--base-url', 'SVC_BASE_URL'])(
    'is not sent to an address that %s names, and the error says so',
    async (by) => {
      const { svc, stranger } = await withProfile()
      const words = by === '--base-url' ? ['--base-url', stranger.baseUrl] : []
      const env: Record<string, string> = by === '--base-url' ? {} : { SVC_BASE_URL: stranger.baseUrl }
      const { code, stdout, stderr } = await svc.run(['leads', 'list', ...words], { env })
      expect({ code, stdout, asked: stranger.asked }).toEqual({ code: 4, stdout: '', asked: [] })
      expect(stderr).toMatch(/^Error: The key of profile work belongs to \S+\. It is not sent to \S+ \(.*\)\.\n {2}\S/)
      const doctor = await svc.run(['doctor', ...words], { env })
      expect(doctor).toMatchObject({ code: 4, stdout: expect.stringContaining('It is not sent to') as string })
      expect(keysAsked(stranger)).toEqual([undefined])
      expect((await svc.run(['whoami', ...words], { env })).stderr).toContain('It is not sent to')
    },
  )

  it('goes to another address that is typed next to the name of the profile', async () => {
    const { svc, stranger } = await withProfile()
    const words = ['leads', 'list', '--profile', 'work', '--base-url', stranger.baseUrl]
    expect(await svc.run(words)).toMatchObject({ code: 0 })
    expect(keysAsked(stranger)).toEqual([`Bearer ${stored.secret}`])
  })

  it('gives way to SVC_SECRET, which goes to the address of the profile', async () => {
    const { svc, home } = await withProfile()
    expect(await svc.run(['leads', 'list'], { env: { SVC_SECRET: 'cs_test_typed' } })).toMatchObject({ code: 0 })
    expect(keysAsked(home)).toEqual(['Bearer cs_test_typed'])
  })

  it('is not sent by login when nothing comes in on standard input', async () => {
    const { svc, stranger } = await withProfile()
    for (const command of [['login'], ['profiles', 'add', 'new']]) {
      const words = [...command, '--base-url', stranger.baseUrl, '--secret', '-']
      expect(await svc.run(words, { stdin: ' \n', env: { SVC_SECRET: 'cs_live_env' } })).toMatchObject({ code: 2 })
    }
    expect(stranger.asked).toEqual([])
  })
})

describe.runIf(hasTerminals)('an empty secret at a terminal', () => {
  it.each([
    ['login', ['login', '--profile', 'new']],
    ['profiles add', ['profiles', 'add', 'new']],
  ])('is asked for again by %s, never filled from a profile or the environment', async (_what, words) => {
    const { svc, stranger } = await withProfile()
    const env = { NO_COLOR: '1', SVC_SECRET: 'cs_live_env' }
    const terminal = new TerminalSvc(svc, [...words, '--base-url', stranger.baseUrl], { env })
    await terminal.shows(/Secret:/)
    terminal.type('\r')
    await terminal.shows(/A value is needed/)
    expect(stranger.asked).toEqual([])
    terminal.type('cs_test_typed\r')
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toMatchObject({ code: 0 })
    for (const key of keysAsked(stranger)) expect(key).toBe('Bearer cs_test_typed')
    const { stdout } = await svc.run(['whoami', '--profile', 'new', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      data: { mode: { value: 'test' }, base_url: { value: stranger.baseUrl } },
    })
  })
})
