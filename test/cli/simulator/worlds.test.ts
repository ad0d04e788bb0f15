/** svc simulate worlds, and commands that use the base URL of a world. */
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { IsolatedWorld } from '../../../src/contract/control/worlds.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const atSimulator = async () => SvcAt.alone({ seed: 7 }, 'test')
const create = async (at: SvcAt, ...words: string[]) =>
  (JSON.parse((await at.run(['simulate', 'worlds', 'create', '--json', ...words])).stdout) as { data: IsolatedWorld })
    .data

describe('svc simulate worlds', () => {
  it('creates, lists, compares and deletes worlds', async () => {
    const at = await atSimulator()
    const { id, name } = await create(at, '--name', 'checkout')
    const fork = await create(at, '--from', id, '--seed', '9')
    expect([name, fork.from]).toEqual(['checkout', id])
    const listed = await at.run(['simulate', 'worlds', 'list', '--columns', 'id,name', '-o', 'csv'])
    expect(listed.stdout).toBe(`id,name\nmain,\n${id},checkout\n${fork.id},\n`)
    expect(await at.run(['simulate', 'worlds', 'diff', id, fork.id])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The worlds are identical.') as string,
    })
    expect(await at.run(['simulate', 'worlds', 'delete', id, '--yes'])).toMatchObject({ code: 0 })
    expect(await at.run(['simulate', 'worlds', 'delete', id, '--yes'])).toMatchObject({ code: 3 })
  })

  it('shows what differs, and exits with 1', async () => {
    const at = await atSimulator()
    const [one, other] = [await create(at), await create(at)]
    const words = ['leads', 'add', '--campaign', 'Web leads', '--phone', '+12125557812', '--external-id', 'crm-1']
    await at.run([...words, '--base-url', one.base_url])
    const ran = await at.run(['simulate', 'worlds', 'diff', one.id, other.id, '-o', 'csv'])
    expect(ran.code).toBe(1)
    expect(ran.stdout).toContain('lead,test Web leads crm-1,id,')
    const found = await at.run(['simulate', 'worlds', 'diff', one.id, other.id, '--json'])
    expect(JSON.parse(found.stdout)).toMatchObject({ data: { identical: false } })
  })

  it('takes a world file, a start time and a time to live', async () => {
    const at = await atSimulator()
    const file = temporaryFile('world.json')
    writeFileSync(file, JSON.stringify({ organizations: [{ name: 'Beta', campaigns: ['Autumn'] }] }))
    const world = await create(at, '--world', file, '--now', '2027-01-04T17:00:00Z', '--idle-ttl', 'never')
    expect(world).toMatchObject({ now: '2027-01-04T17:00:00.000Z', expires_at: null, campaigns: [{ name: 'Autumn' }] })
    const missing = await at.run(['simulate', 'worlds', 'create', '--world', `${file}.not`])
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read') as string })
  })

  it('runs a command against a new world and deletes the world afterwards', async () => {
    const at = await atSimulator()
    const source = `fetch(process.env.SVC_CONTROL_URL + '/clock').then(async (got) => {
      console.log(got.status, process.env.SVC_BASE_URL, process.env.SVC_KEY_ID, process.env.SVC_SECRET.length > 20)
      process.exit(5)
    })`
    const ran = await at.run(['simulate', 'worlds', 'create', '--exec', '--', process.execPath, '-e', source])
    expect(ran.stdout).toMatch(/^200 http:\/\/127\.0\.0\.1:\d+\/w\/[0-9a-f]+\/api\/v1\/external ck_test_\w+ true\n$/)
    expect(ran.code).toBe(5)
    const listed = await at.run(['simulate', 'worlds', 'list', '--columns', 'id', '-o', 'csv'])
    expect(listed.stdout).toBe('id\nmain\n')
  })

  it('exits with 127 if the command cannot be started, and with 128 + n if signal n ended it', async () => {
    const at = await atSimulator()
    const exec = (...words: string[]) => at.run(['simulate', 'worlds', 'create', '--exec', '--', ...words])
    expect(await exec('no-such-program')).toMatchObject({ code: 127 })
    expect(await exec(process.execPath, '-e', "process.kill(process.pid, 'SIGTERM')")).toMatchObject({ code: 143 })
    const listed = await at.run(['simulate', 'worlds', 'list', '--columns', 'id', '-o', 'csv'])
    expect(listed.stdout).toBe('id\nmain\n')
  })

  it('writes no profile', async () => {
    const at = await atSimulator()
    const before = await at.run(['profiles', 'list', '-o', 'csv'])
    await create(at)
    await at.run(['simulate', 'worlds', 'create', '--exec', '--', process.execPath, '-e', ''])
    expect(await at.run(['profiles', 'list', '-o', 'csv'])).toEqual(before)
  })

  it('fails at once when the limit of worlds is reached', async () => {
    const at = await SvcAt.alone({ worldsMax: 1 }, 'test')
    await create(at)
    expect(await at.run(['simulate', 'worlds', 'create'])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^Error: The limit of 1 isolated worlds is reached\. Delete one/) as string,
    })
  })

  it('says that --exec needs a command', async () => {
    const at = await atSimulator()
    expect(await at.run(['simulate', 'worlds', 'create', '--exec'])).toMatchObject({ code: 2 })
    expect(await at.run(['simulate', 'worlds', 'create', 'checkout'])).toMatchObject({ code: 2 })
  })
})

describe('the base URL of a world', () => {
  it('is all that commands need: API, control plane and events are found below it', async () => {
    const at = await atSimulator()
    const { base_url } = await create(at)
    const there = ['--base-url', base_url]
    await at.run(['leads', 'add', '--campaign', 'Web leads', '--phone', '+15550100001', ...there])
    const clock = await at.run(['simulate', 'advance', '10m', ...there])
    expect(clock.code).toBe(0)
    const calls = await at.run(['calls', 'list', '--json', ...there])
    expect((JSON.parse(calls.stdout) as { data: unknown[] }).data).toHaveLength(1)
    expect((JSON.parse((await at.run(['calls', 'list', '--json'])).stdout) as { data: unknown[] }).data).toEqual([])
  })
})
