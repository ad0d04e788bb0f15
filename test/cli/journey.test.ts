/** The first journey of the README, by the built program: from a simulator of one's own to what was said on the call. */
import { describe, expect, it } from 'vitest'
import { Svc } from '../support/programs/svc.js'

interface Lead {
  status: string
  last_outcome: string | null
  calls: { id: string; outcome: string | null }[]
}

/** A result as JSON. */
async function data<T>(svc: Svc, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await svc.run([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return (JSON.parse(stdout) as { data: T }).data
}

describe('with nothing set up but svc simulate', () => {
  it('a lead is added, called and interested, and the call can be read', async () => {
    const svc = new Svc()
    const simulator = svc.start(['simulate', '--port', '0'])
    const [, campaign = ''] = await simulator.says(/Campaign {3}\S.*\n +(\S+)/)
    await simulator.says(/Ctrl-C stops it\./)

    const added = await svc.run([
      'leads',
      'add',
      '--campaign',
      campaign,
      '--phone',
      '+15550100001',
      '--name',
      'Test Lead',
      '-o',
      'csv',
    ])
    expect(added).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^id,.*\n[0-9a-f-]{36},.*dialing/) as string,
    })
    const id = added.stdout.split('\n')[1]?.split(',')[0] ?? ''

    const pushed = await data<{ events: number }>(svc, 'simulate', 'advance', '4m')
    expect(pushed.events).toBeGreaterThan(2)
    const lead = await data<Lead>(svc, 'leads', 'get', id)
    expect(lead).toMatchObject({ status: 'done', last_outcome: 'interested', calls: [{ outcome: 'interested' }] })

    const said = await svc.run(['calls', 'transcript', lead.calls[0]?.id ?? ''])
    expect(said).toMatchObject({ code: 0, stderr: '' })
    const turns = said.stdout.trimEnd().split('\n')
    expect(turns.length).toBeGreaterThan(3)
    expect(new Set(turns.map((turn) => /^(?:\[[\d:]+\] )?([^:]+): \S/.exec(turn)?.[1])).size).toBeGreaterThan(1)
    expect(said.stdout).not.toContain('undefined')
    expect(await simulator.kill('SIGINT')).toMatchObject({ code: 130 })
  })

  it('keeps its settings and its world from others', async () => {
    const svc = new Svc()
    const simulator = svc.start(['simulate', '--port', '0'])
    await simulator.says(/Ctrl-C stops it\./)
    const modes = await svc.shell(
      'stat -c "%a %n" "$SVC_CONFIG_DIR" "$SVC_CONFIG_DIR"/* "$SVC_DATA_DIR" "$SVC_DATA_DIR"/simulator.db | sed "s|/.*/||"',
    )
    expect(modes.stdout).toBe('700 config\n600 profiles.json\n700 data\n600 simulator.db\n')
    const whoami = await svc.run(['whoami'])
    expect(whoami.stdout).toMatch(/^mode\ttest\tprofile simulator$/m)
    expect(whoami.stdout).toMatch(/^profile\tsimulator\tprofile in use$/m)
    expect(whoami.stdout).toMatch(/^secret\tcs_test_\*\*\*\*\tprofile simulator$/m)
    await simulator.kill('SIGINT')
  })

  it('a lead that was acknowledged is there after the simulator was killed', async () => {
    const svc = new Svc()
    const first = svc.start(['simulate', '--port', '0', '--json'])
    await first.line()
    const [campaign] = await data<{ id: string }[]>(svc, 'campaigns', 'list')
    const { id } = await data<{ id: string }>(
      svc,
      'leads',
      'add',
      '--campaign',
      campaign?.id ?? '',
      '--phone',
      '+15550100002',
    )
    await first.kill('SIGKILL')

    const second = svc.start(['simulate', '--port', '0'])
    expect((await second.says(/goes on with (\d+) leads/))[1]).toBe('1')
    await second.says(/Ctrl-C stops it\./)
    expect(await data<{ id: string; phone: string }>(svc, 'leads', 'get', id)).toMatchObject({
      id,
      phone: '+15550100002',
    })
    await second.kill('SIGINT')
  })
})

describe('svc demo', () => {
  it('tells each step of the story, every one held, and leaves nothing behind', async () => {
    const svc = new Svc()
    const { code, stdout, stderr } = await svc.run(['demo'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('FAIL')
    const steps = [
      'webhook endpoint',
      'lead added',
      'lead.created',
      'lead.interested',
      'call.completed',
      'done, interested',
      'transcript',
      'all sent',
      'nothing is left behind',
    ]
    const places = steps.map((step) => stdout.indexOf(step))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(Math.min(...places)).toBeGreaterThan(0)
    expect((await svc.shell('ls -A')).stdout).toBe('')
  })
})
