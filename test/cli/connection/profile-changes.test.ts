/** Processes that change profiles at the same time: no change is lost, and no removed key comes back. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Profiles } from '../../../src/config/profiles.js'
import { loadListenSecret } from '../../../src/cli/listen/listen-secret.js'
import { resolveSettings } from '../../../src/config/settings.js'
import { Svc } from '../../support/programs/svc.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const work = { base_url: 'https://work.example/api/v1/external', secret: 'cs_live_work' }
const add = (name: string) => ['profiles', 'add', name, '--base-url', 'https://a.example', '--secret', '-']

it('profiles use says that a key is live', async () => {
  const svc = new Svc()
  await svc.run(add('work'), { stdin: 'cs_live_a' })
  await svc.run(add('play'), { stdin: 'cs_test_a' })
  const use = async (name: string) => (await svc.run(['profiles', 'use', name])).stderr
  expect(await use('work')).toBe('Using the profile work. It has a live key: commands act on live leads.\n')
  expect(await use('play')).toBe('Using the profile play.\n')
})

describe('profiles', () => {
  it('of processes that add theirs at the same time are all kept', async () => {
    const svc = new Svc()
    const names = Array.from({ length: 12 }, (_, at) => `profile${at}`)
    const running = names.map((name) => svc.start(add(name)))
    // All have been started before any has its secret, so that their changes meet.
    for (const { process } of running) process.stdin.end('cs_test_a')
    for (const one of running) expect(await one.end()).toMatchObject({ code: 0 })
    const { stdout } = await svc.run(['profiles', 'list', '--columns', 'name', '--no-header'])
    expect(stdout.split('\n').filter(Boolean).sort()).toEqual(names.sort())
  })

  it('behind a lock that cannot be read end with an error', async () => {
    const svc = new Svc()
    const configFolder = join(svc.folder, 'config')
    mkdirSync(join(configFolder, 'profiles.json.lock'), { recursive: true })
    const ran = await svc.run(add('work'), { stdin: 'cs_test_a', env: { SVC_CONFIG_DIR: configFolder } })
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain('profiles.json.lock is in the way')
  })

  it('that were removed meanwhile do not come back with a change of another', () => {
    const folder = temporaryFolder()
    const first = Profiles.open(folder)
    first.put('work', work)
    first.put('play', {})
    const second = Profiles.open(folder)
    second.remove('work')
    first.put('play', { secret: 'cs_test_play' })
    first.use('play')
    const third = Profiles.open(folder)
    expect([third.names, third.current]).toEqual([['play'], 'play'])
    expect(() => first.use('work')).toThrow('There is no profile "work".')
  })

  it('that have lost their key meanwhile do not get it back with a secret for listening', () => {
    const folder = temporaryFolder()
    const first = Profiles.open(folder)
    first.put('work', work)
    first.use('work')
    const settings = resolveSettings({ flags: {}, env: {}, profiles: first })
    Profiles.open(folder).put('work', { base_url: work.base_url })
    const made = loadListenSecret(settings, first)
    expect(Profiles.open(folder).get('work')).toEqual({ base_url: work.base_url, listen_secret: made })
    Profiles.open(folder).remove('work')
    const again = Profiles.open(folder)
    first.change('work', (before) => before && { ...before, listen_secret: 'whsec_b' })
    expect(again.names).toEqual([])
  })
})

describe('the lock of the profiles', () => {
  it('is taken over from a process that has ended', () => {
    const folder = temporaryFolder()
    const profiles = Profiles.open(folder)
    // No process has this number.
    writeFileSync(`${profiles.path}.lock`, `4194999 ${hostname()} abc`)
    profiles.put('work', work)
    expect(Profiles.open(folder).names).toEqual(['work'])
    expect(readdirSync(dirname(profiles.path))).toEqual(['profiles.json'])
  })

  it('leaves nothing behind when a change fails', () => {
    const folder = temporaryFolder()
    const profiles = Profiles.open(folder)
    profiles.put('work', work)
    const before = readFileSync(profiles.path, 'utf8')
    expect(() =>
      profiles.change('work', () => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(readFileSync(profiles.path, 'utf8')).toBe(before)
    expect(readdirSync(folder)).toEqual(['profiles.json'])
  })
})

it('a folder below /proc is refused at once', async () => {
  const svc = new Svc({ SVC_CONFIG_DIR: '/proc/nowhere/config' })
  const ran = await svc.run(add('work'), { stdin: 'cs_test_a' })
  expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('could not be written') as string })
})
