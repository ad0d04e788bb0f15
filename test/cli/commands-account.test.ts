/** Keys kept and forgotten and the doctor: the commands around the service. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Svc } from '../support/programs/svc.js'
import { SvcAt } from '../support/programs/svc-at.js'

const keyless = { SVC_BASE_URL: '', SVC_KEY_ID: '', SVC_SECRET: '' }

interface Profile {
  name: string
  current: boolean
  base_url: string
  key_id: string | null
  mode: string | null
}

async function profiles(svc: Svc): Promise<Profile[]> {
  return (JSON.parse((await svc.run(['profiles', 'list', '--json'])).stdout) as { data: Profile[] }).data
}

describe('whoami without a key', () => {
  it('shows the settings, and exits 4 with the way to log in on stderr', async () => {
    const svc = new Svc()
    const { code, stdout, stderr } = await svc.run(['whoami'], { env: keyless })
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: 'Error: Not logged in.\n  Run svc login, or svc simulate to start a local simulator.\n',
    })
    expect(stdout).toMatch(/^base_url\thttps?:\S+\tdefault$/m)
    const document = await svc.run(['whoami', '--json'], { env: keyless })
    expect(JSON.parse(document.stdout)).toMatchObject({ data: { secret: { value: null } } })
    expect(JSON.parse(document.stderr)).toMatchObject({ error: { code: 'no_key' }, exit_code: 4 })
  })
})

describe('login', () => {
  it('keeps a key the service knows, in a file of its owner alone, and puts it in use', async () => {
    const { simulation, client, svc } = await SvcAt.start()
    const words = ['login', '--base-url', simulation.baseUrl, '--key-id', client.key.key_id, '--secret', '-']
    const ran = await svc.run(words, { stdin: `${client.key.secret}\n` })
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('live key') as string })
    expect(ran.stderr).not.toContain(client.key.secret)
    expect(await profiles(svc)).toEqual([
      { name: 'default', current: true, base_url: simulation.baseUrl, key_id: client.key.key_id, mode: 'live' },
    ])
    expect(statSync(join(svc.folder, 'config', 'profiles.json')).mode & 0o777).toBe(0o600)
    expect(await svc.run(['leads', 'list'])).toMatchObject({ code: 0 })
  })

  it('takes a key that may do little, and keeps none that is wrong', async () => {
    const { simulation, svc } = await SvcAt.start()
    const login = (name: string, secret: string) =>
      svc.run(['login', '--profile', name, '--base-url', simulation.baseUrl, '--secret', '-'], { stdin: secret })
    const { secret } = await simulation.key({ permissions: ['dnc:read'] })
    expect(await login('little', secret)).toMatchObject({ code: 0 })
    const wrong = await login('wrong', 'cs_live_wrong')
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('Nothing was saved.') as string })
    expect(await login('nothing', '')).toMatchObject({ code: 2 })
    expect(await login('other', 'hunter2')).toMatchObject({ code: 2 })
    expect((await profiles(svc)).map(({ name }) => name)).toEqual(['little'])
  })

  it('takes no secret from the command line, where others could read it', async () => {
    const svc = new Svc()
    const ran = await svc.run(['login', '--secret', 'cs_live_canary'])
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--secret -') as string })
    expect(ran.stderr).not.toContain('canary')
    expect(await svc.run(['login'])).toMatchObject({
      code: 2,
      stderr:
        'Error: Missing: --secret.\n' +
        '  Pipe the secret in, with --secret -. For example: pass show calling | svc login --profile work --secret -\n',
    })
  })
})

describe('profiles', () => {
  it('are added without asking anybody, used, lose their key, and are removed once that is confirmed', async () => {
    const svc = new Svc()
    const add = (name: string, ...more: string[]) =>
      svc.run(['profiles', 'add', name, '--base-url', 'https://example.test', '--secret', '-', ...more], {
        stdin: 'cs_test_a',
      })
    expect(await add('one')).toMatchObject({ code: 0 })
    expect(await add('two', '--use')).toMatchObject({ code: 0 })
    expect(await add('two')).toMatchObject({ code: 2, stderr: expect.stringContaining('already') as string })
    expect(await svc.run(['logout', '--profile', 'one'])).toMatchObject({ code: 0 })
    const base_url = 'https://example.test/api/v1/external'
    expect(await profiles(svc)).toEqual([
      { name: 'one', current: false, base_url, key_id: null, mode: null },
      { name: 'two', current: true, base_url, key_id: null, mode: 'test' },
    ])
    expect(await svc.run(['profiles', 'remove', 'two'])).toMatchObject({ code: 2 })
    expect(await svc.run(['profiles', 'remove', 'two', '--yes'])).toMatchObject({ code: 0 })
    expect((await profiles(svc)).map(({ name }) => name)).toEqual(['one'])
    expect(await svc.run(['logout'])).toMatchObject({ code: 2 })
  })

  it('are never given a key that would go in the clear', async () => {
    const words = ['profiles', 'add', 'one', '--base-url', 'http://example.test', '--secret', '-']
    expect(await new Svc().run(words, { stdin: 'cs_test_a' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('plain http:') as string,
    })
  })
})

describe('doctor', () => {
  const results = async (at: SvcAt, env = {}) => {
    const ran = await at.run(['doctor', '--columns', 'check,result', '--no-header', '-o', 'tsv'], { env })
    return {
      code: ran.code,
      found: Object.fromEntries(
        ran.stdout
          .trim()
          .split('\n')
          .map((line) => line.split('\t')),
      ) as Record<string, string>,
    }
  }

  it('reports no problem where all is well, and shows what the key may not do', async () => {
    const at = await SvcAt.start()
    const well = await results(at)
    expect(well.code).toBe(0)
    expect(new Set(Object.values(well.found))).toEqual(new Set(['ok']))
    const { secret } = await at.simulation.key({ permissions: ['leads:read'] })
    const little = await results(at, { SVC_KEY_ID: '', SVC_SECRET: secret })
    expect(little).toMatchObject({ code: 0, found: { 'leads:read': 'ok', 'calls:read': 'warning' } })
  })

  it.each([
    ['no key', { SVC_KEY_ID: '', SVC_SECRET: '' }, 4, 'key'],
    ['a wrong key', { SVC_KEY_ID: '', SVC_SECRET: 'cs_test_wrong' }, 4, 'key'],
    ['nothing there', { SVC_BASE_URL: 'http://127.0.0.1:1' }, 8, 'address'],
  ])('reports %s', async (_what, env, code, check) => {
    expect(await results(await SvcAt.start(), env)).toMatchObject({ code, found: { [check]: 'problem' } })
  })

  it('finds another server at the address', async () => {
    const at = await SvcAt.start()
    expect(await results(at, { SVC_BASE_URL: `${at.simulation.url}/elsewhere` })).toMatchObject({
      found: { profile: 'ok' },
    })
    const ran = await at.run(['doctor'], { env: { ...keyless, SVC_BASE_URL: 'http://127.0.0.1:1' } })
    expect(ran.stdout).toContain('svc simulate starts the simulator')
  })
})
