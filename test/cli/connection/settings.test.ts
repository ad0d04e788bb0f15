import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configFolder, dataFolder } from '../../../src/config/folder.js'
import { Profiles, type Profile } from '../../../src/config/profiles.js'
import { SettingsError } from '../../../src/config/settings-error.js'
import { defaultBaseUrl, resolveSettings, type Sources } from '../../../src/config/settings.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8)

function profilesWith(profiles: Record<string, Profile>, current?: string): Profiles {
  const all = Profiles.open(temporaryFolder())
  for (const [name, profile] of Object.entries(profiles)) all.put(name, profile)
  if (current) all.use(current)
  return all
}

const settingsOf = ({ flags = {}, env = {}, profiles = profilesWith({}) }: Partial<Sources>) =>
  resolveSettings({ flags, env, profiles })

const work = { base_url: 'https://work.example/api/v1/external', key_id: 'ck_live_work', secret: 'cs_live_work' }
const play = { base_url: 'http://127.0.0.1:4010/api/v1/external', secret: 'cs_test_play' }

describe('settings', () => {
  it('come from the flag, else the environment, else the profile, else the default, and say which', () => {
    const profiles = profilesWith({ work, play }, 'work')
    const env = { SVC_BASE_URL: 'https://env.example/api/v1/external' }
    const baseUrlOf = (sources: Partial<Sources>) => settingsOf(sources).baseUrl
    expect(baseUrlOf({ flags: { 'base-url': 'https://flag.example/x' }, env, profiles })).toEqual({
      value: 'https://flag.example/x',
      source: 'flag --base-url',
    })
    expect(baseUrlOf({ env, profiles })).toEqual({ value: env.SVC_BASE_URL, source: 'environment SVC_BASE_URL' })
    expect(baseUrlOf({ profiles })).toEqual({ value: work.base_url, source: 'profile work' })
    expect(baseUrlOf({})).toEqual({ value: defaultBaseUrl, source: 'default' })
  })

  it('take the profile named by the flag, else by the environment, else the one in use', () => {
    const profiles = profilesWith({ work, play, third: {} }, 'work')
    const chosen = (sources: Partial<Sources>) => settingsOf({ profiles, ...sources }).profile
    expect(chosen({ flags: { profile: 'play' }, env: { SVC_PROFILE: 'third' } })).toEqual({
      value: 'play',
      source: 'flag --profile',
    })
    expect(chosen({ env: { SVC_PROFILE: 'third' } })).toEqual({ value: 'third', source: 'environment SVC_PROFILE' })
    expect(chosen({})).toEqual({ value: 'work', source: 'profile in use' })
    expect(chosen({ env: { SVC_PROFILE: '' } })?.value).toBe('work')
  })

  it('name the profiles there are when one is unknown', () => {
    const unknown = () => settingsOf({ flags: { profile: 'wrok' }, profiles: profilesWith({ work, play }) })
    expect(unknown).toThrow('There is no profile "wrok".')
    expect(unknown).toThrow(expect.objectContaining({ hint: expect.stringContaining('play, work') as string }))
  })

  it('name the key that holds what no key does, and do not show it', () => {
    const odd = () => settingsOf({ env: { SVC_SECRET: 'cs_test_canary\r' } })
    expect(odd).toThrow(SettingsError)
    expect(odd).toThrow(/^The key \(environment SVC_SECRET\) contains a space, a line break/)
    expect(odd).not.toThrow('canary')
  })

  it('read the mode off the key', () => {
    const mode = (env: Record<string, string>) => settingsOf({ env }).mode
    expect(mode({ SVC_SECRET: 'cs_test_a' })).toBe('test')
    expect(mode({ SVC_KEY_ID: 'ck_live_a', SVC_SECRET: 'whatever' })).toBe('live')
    expect(mode({ SVC_SECRET: 'whatever' })).toBeUndefined()
    expect(mode({})).toBeUndefined()
  })

  it("leave a profile's key id out when the secret is another one's", () => {
    const profiles = profilesWith({ work }, 'work')
    expect(settingsOf({ profiles }).keyId?.value).toBe('ck_live_work')
    expect(settingsOf({ profiles, env: { SVC_SECRET: 'cs_test_other' } }).keyId).toBeUndefined()
  })

  it.each([
    'http://example.com',
    'http://10.0.0.1:4010',
    'http://0.0.0.0',
    'http://localhost.example.com',
    'http://[::2]',
  ])('never let a key go over plain http to %s', (url) => {
    expect(() => settingsOf({ env: { SVC_BASE_URL: url, SVC_SECRET: 'cs_test_a' } })).toThrow(/plain http/)
    expect(settingsOf({ env: { SVC_BASE_URL: url } }).secret).toBeUndefined()
  })

  it.each([
    'http://localhost:4010',
    'http://127.0.0.1',
    'http://127.9.9.9:80',
    'http://[::1]:4010',
    'https://example.com',
    'http://2130706433',
  ])('let a key go to %s', (url) =>
    expect(settingsOf({ env: { SVC_BASE_URL: url, SVC_SECRET: 'cs_test_a' } }).baseUrl.value).toMatch(
      /\/api\/v1\/external$/,
    ),
  )

  it.each(['example.com/api', 'ftp://example.com', 'https://user:pass@example.com', ''.padEnd(3, ':')])(
    'refuse the address %s',
    (url) => {
      expect(() => settingsOf({ flags: { 'base-url': url } })).toThrow(SettingsError)
    },
  )

  it("give a bare origin the API's path and keep any other", () => {
    const read = (url: string) => settingsOf({ flags: { 'base-url': url } }).baseUrl.value
    expect(read('https://api.example')).toBe('https://api.example/api/v1/external')
    expect(read('https://api.example/v2/')).toBe('https://api.example/v2')
    expect(read('https://api.example/a?b#c')).toBe('https://api.example/a')
  })
})

describe('profiles', () => {
  it('are kept in a file and a folder that are closed to others', () => {
    const folder = join(temporaryFolder(), 'svc')
    const profiles = Profiles.open(folder)
    profiles.put('work', work)
    profiles.use('work')
    expect([permissions(folder), permissions(profiles.path)]).toEqual(['700', '600'])
    expect(readdirSync(folder)).toEqual(['profiles.json'])
    const again = Profiles.open(folder)
    expect([again.current, again.get('work')]).toEqual(['work', work])
  })

  it('close an open file when they are written again', () => {
    const profiles = profilesWith({ work })
    chmodSync(profiles.path, 0o644)
    profiles.put('play', play)
    expect(permissions(profiles.path)).toBe('600')
  })

  it.each(['{"profiles":', '[]', '{"current":null,"profiles":{"work":"x"}}', '{"current":1,"profiles":{}}', ''])(
    'name a broken file and leave it as it is: %s',
    (broken) => {
      const folder = temporaryFolder()
      const path = join(folder, 'profiles.json')
      writeFileSync(path, broken)
      expect(() => Profiles.open(folder)).toThrow(path)
      expect(readFileSync(path, 'utf8')).toBe(broken)
    },
  )

  it('keep what a later version wrote beside what they know', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'profiles.json')
    writeFileSync(path, JSON.stringify({ current: 'work', profiles: { work: { ...work, region: 3 } } }))
    Profiles.open(folder).put('play', play)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      current: 'work',
      profiles: { work: { ...work, region: 3 }, play },
    })
  })

  it('leave nothing in use when the one in use is removed', () => {
    const profiles = profilesWith({ work, play }, 'work')
    profiles.remove('work')
    expect([profiles.current, profiles.names]).toEqual([null, ['play']])
    expect(() => profiles.remove('work')).toThrow(SettingsError)
  })

  it.each(['', '../x', '-a', 'a b', '__proto__', 'a'.repeat(65)])('take no name like "%s"', (name) => {
    const profiles = profilesWith({})
    expect(() => profiles.put(name, work)).toThrow(/is not a valid name for a profile/)
    expect(profiles.names).toEqual([])
  })

  it('say which file could not be written, and leave no other behind', () => {
    const folder = temporaryFolder()
    const profiles = Profiles.open(folder)
    mkdirSync(profiles.path)
    expect(() => profiles.put('work', work)).toThrow(profiles.path)
    expect(readdirSync(folder)).toEqual(['profiles.json'])
  })
})

describe('the folders', () => {
  it('are those of the platform, unless named', () => {
    const home = '/home/ada'
    expect(configFolder({ env: {}, platform: 'linux', home })).toBe('/home/ada/.config/svc')
    expect(configFolder({ env: { XDG_CONFIG_HOME: '/x' }, platform: 'darwin', home })).toBe('/x/svc')
    expect(configFolder({ env: { SVC_CONFIG_DIR: '/own', XDG_CONFIG_HOME: '/x' }, platform: 'linux', home })).toBe(
      '/own',
    )
    expect(dataFolder({ env: {}, platform: 'linux', home })).toBe('/home/ada/.local/share/svc')
    expect(dataFolder({ env: { SVC_DATA_DIR: '/own' }, platform: 'linux', home })).toBe('/own')
  })
})
