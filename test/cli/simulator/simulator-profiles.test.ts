/** The profiles that svc simulate leaves behind: whose they are, and that it runs without them. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Svc } from '../../support/programs/svc.js'

interface Ready {
  base_url: string
  url: string
  profile: string | null
}

async function started(svc: Svc, flags: readonly string[] = [], env: Record<string, string> = {}) {
  const simulator = svc.start(['simulate', '--port', '0', '--data', ':memory:', '--paused', '--json', ...flags], env)
  return { ready: JSON.parse(await simulator.line()) as Ready, simulator }
}

async function profiles(svc: Svc): Promise<[name: string, base_url: string][]> {
  const { stdout } = await svc.run(['profiles', 'list', '--json'])
  const { data } = JSON.parse(stdout) as { data: { name: string; base_url: string }[] }
  return data.map(({ name, base_url }) => [name, base_url])
}

describe('the profiles of svc simulate', () => {
  it('a simulator that answers keeps its profile; the next one has a name of its own, and says so', async () => {
    const svc = new Svc()
    const one = await started(svc)
    const two = await started(svc)
    const own = `simulator-${new URL(two.ready.url).port}`
    expect([one.ready.profile, two.ready.profile]).toEqual(['simulator', own])
    expect(await profiles(svc)).toEqual(
      [
        ['simulator', one.ready.base_url],
        ['simulator-live', one.ready.base_url],
        [own, two.ready.base_url],
        [`${own}-live`, two.ready.base_url],
      ].sort(),
    )
    const person = svc.start(['simulate', '--port', '0', '--data', ':memory:'])
    const [, third = ''] = await person.says(
      /Profiles +(simulator-\d+), simulator-\d+-live \(simulator belongs to another/,
    )
    await person.says(new RegExp(`svc leads list --profile ${third}`))
    await person.kill('SIGTERM')
    await two.simulator.kill('SIGTERM')
    expect(await svc.run(['leads', 'list'])).toMatchObject({ code: 0 })
    await svc.run(['simulate', 'reset', '--yes', '--seed', '9', '--base-url', one.ready.base_url])
    expect(await svc.run(['leads', 'list'])).toMatchObject({ code: 0 })
    await one.simulator.kill('SIGTERM')
    const four = await started(svc)
    expect(four.ready.profile).toBe('simulator')
    expect(await svc.run(['leads', 'list'])).toMatchObject({ code: 0 })
    await four.simulator.kill('SIGTERM')
  })

  it('a profile named simulator that belongs to a service is left alone', async () => {
    const svc = new Svc()
    const address = 'https://api.example.com/api/v1/external'
    const add = ['profiles', 'add', 'simulator', '--base-url', address, '--key-id', 'ck_live_a', '--secret', '-']
    expect(await svc.run(add, { stdin: 'cs_live_a' })).toMatchObject({ code: 0 })
    const { ready, simulator } = await started(svc)
    expect(ready.profile).toBe(`simulator-${new URL(ready.url).port}`)
    expect(await profiles(svc)).toContainEqual(['simulator', address])
    await simulator.kill('SIGTERM')
  })

  it('a folder that cannot be written is a notice', async () => {
    const svc = new Svc()
    writeFileSync(join(svc.folder, 'file'), '')
    for (const folder of [join(svc.folder, 'file'), '/proc/svc']) {
      const { ready, simulator } = await started(svc, [], { SVC_CONFIG_DIR: folder })
      expect(ready.profile).toBeNull()
      const { code, stderr } = await simulator.kill('SIGTERM')
      expect([code, stderr]).toEqual([143, expect.stringMatching(/^No profile was saved: .*profiles\.json/)])
    }
  })

  it('--no-profile saves none, and shows the key for the environment', async () => {
    const svc = new Svc()
    const simulator = svc.start(['simulate', '--port', '0', '--data', ':memory:', '--no-profile'])
    const [line = ''] = await simulator.says(/export SVC_BASE_URL=\S+ SVC_KEY_ID=\S+ SVC_SECRET=\S+/)
    expect(existsSync(join(svc.folder, 'config'))).toBe(false)
    expect(await svc.shell(`${line}; svc leads list`)).toMatchObject({ code: 0 })
    await simulator.kill('SIGTERM')
  })

  it.each([
    ['with a profile', []],
    ['without one', ['--no-profile']],
  ])('beyond loopback, the variable of the control token is shown for the environment, %s', async (_how, more) => {
    const svc = new Svc()
    const words = ['simulate', '--host', '0.0.0.0', '--port', '0', '--data', ':memory:', '--paused', ...more]
    const simulator = svc.start(words)
    const [line = ''] = await simulator.says(/export .*SVC_CONTROL_TOKEN=\S+/)
    const [command = ''] = await simulator.says(/svc simulate advance .*4m/)
    expect(await svc.shell(`${line}; ${command}`)).toMatchObject({ code: 0 })
    await simulator.kill('SIGTERM')
  })
})
