import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../../simulator/index.js'
import type { Organization } from '../../../src/contract/control/world.js'
import type { WorldFileInput } from '../../../src/contract/control/world-file.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const worldOf = (sim: Simulation) => sim.control<{ organizations: Organization[] }>('GET', '/_sim/world')

/** The reported errors of a world file. */
async function faultsOf(world: unknown): Promise<string> {
  try {
    const simulator = await startSimulator({ world: world as WorldFileInput })
    await simulator.close()
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError)
    return (error as Error).message
  }
  throw new Error('the world was taken')
}

const file = (text: string): string => {
  const path = temporaryFile('world.json')
  writeFileSync(path, text)
  return path
}

const id = '0b6f3c1e-4d5a-4e6f-8a9b-0c1d2e3f4a5b'

describe('a world that is given', () => {
  it('may say as little as a name: the rest is as usual', async () => {
    const usual = (await worldOf(await simulate({ seed: 1 }))).organizations[0]
    const [organization] = (await worldOf(await simulate({ world: { organizations: ['Acme Home Services'] } })))
      .organizations
    expect(organization).toEqual(usual)
  })

  it('may use short forms for campaigns, keys and people', async () => {
    const world = {
      organizations: [
        {
          name: 'Solo',
          campaigns: ['Spring', { name: 'Autumn', lines: 2, status: 'paused' as const }],
          keys: ['live', { mode: 'test', campaign_ids: ['Autumn'] }],
          members: ['Kim Lee', { name: 'Jo Park', role: 'closer' as const }],
        },
      ],
    }
    const [organization] = (await worldOf(await simulate({ world }))).organizations
    expect(organization).toMatchObject({
      name: 'Solo',
      campaigns: [
        { name: 'Spring', status: 'running', lines: 5, consent_required: true },
        { name: 'Autumn', status: 'paused', lines: 2 },
      ],
      keys: [
        { mode: 'live', campaign_ids: null },
        { mode: 'test', campaign_ids: [organization?.campaigns[1]?.id] },
      ],
      members: [
        { name: 'Kim Lee', role: 'sdr' },
        { name: 'Jo Park', role: 'closer' },
      ],
    })
  })

  it('may be what the control plane prints, and is that again', async () => {
    const sim = await simulate()
    await sim.control('POST', '/_sim/organizations', {
      name: 'Second',
      time_zone: 'America/Los_Angeles',
      recording: false,
    })
    await sim.campaign({ lines: 1, calling_hours: { mon: [['09:00', '17:00']] }, spend_cap_usd: 5 })
    await sim.key({
      permissions: ['leads:read'],
      campaign_ids: [sim.campaignId],
      expires_at: '2027-01-01T00:00:00Z',
      limits: { burst: 3 },
    })
    await sim.control('PATCH', `/_sim/keys/${sim.test.key.key_id}`, { status: 'disabled' })
    await sim.script('+16462010000', { answer: 'person', talk_seconds: 60 })
    await sim.lead({ phone: '+16462010000' })
    await sim.advance('1h')
    const printed = await worldOf(sim)
    for (const world of [printed, { data: printed }]) {
      const again = await simulate({ world: file(JSON.stringify(world)), seed: 99 })
      expect(await worldOf(again)).toEqual(printed)
    }
  })

  it('gives away no id that stands in it, now or later', async () => {
    const { organizations } = await worldOf(await simulate())
    const { campaigns, keys } = organizations[0] as Organization
    const world = {
      organizations: [{ name: 'A', campaigns: [{ name: 'New' }, ...campaigns], keys: ['live' as const, ...keys] }, 'B'],
    }
    const sim = await simulate({ world: file(JSON.stringify(world)) })
    for (let i = 0; i < 3; i++) {
      await sim.campaign()
      await sim.key()
    }
    const all = (await worldOf(sim)).organizations
    const given = all.flatMap((one) => [
      one.id,
      ...one.campaigns.map((campaign) => campaign.id),
      ...one.keys.map((key) => key.key_id),
    ])
    expect(new Set(given).size).toBe(given.length)
    expect(given).toContain(campaigns[0]?.id)
  })

  it('has its call scripts', async () => {
    const busy = { answer: 'busy' as const, ring_seconds: 1 }
    const [one, other] = ['+16462010000', '+16462010001']
    const world = {
      organizations: [
        { name: 'A', campaigns: [{ name: 'C', consent_required: false }], scripts: [{ phone: one, calls: [busy] }] },
      ],
      scripts: [{ phone: other, organization_id: 'A', calls: [busy] }],
    }
    const sim = await simulate({ world })
    for (const phone of [one, other]) {
      const lead = await sim.lead({ phone })
      await sim.advance('2s')
      expect(await sim.readLead(lead.id)).toMatchObject({ last_outcome: 'busy' })
    }
  })

  it('has keys that work, with the secrets that were given', async () => {
    const secret = 'cs_test_mine'
    const sim = await simulate({
      world: { organizations: [{ name: 'A', keys: [{ key_id: 'ck_test_mine', secret }, 'live'] }] },
    })
    expect((await sim.send('GET', '/leads', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200)
  })

  it('is there again after a reset, after a restart too', async () => {
    const data = temporaryFile()
    const sim = await simulate({ data, world: { organizations: ['Mine'] } })
    await sim.campaign()
    await sim.control('POST', '/_sim/reset', {})
    const fresh = await worldOf(sim)
    expect(fresh.organizations.map(({ name, campaigns }) => [name, campaigns.length])).toEqual([['Mine', 1]])
    await sim.simulator.close()
    const again = await simulate({ data })
    await again.control('POST', '/_sim/reset', {})
    expect((await worldOf(again)).organizations.map(({ name }) => name)).toEqual(['Mine'])
  })

  it('changes nothing of a world that is stored', async () => {
    const data = temporaryFile()
    await (await simulate({ data })).simulator.close()
    const sim = await simulate({ data, world: { organizations: ['Mine'] } })
    expect([sim.simulator.resumed, sim.organization.name]).toEqual([true, 'Acme Home Services'])
  })
})

describe('a faulty world is told of with the place', () => {
  const organization = (words: object) => ({ organizations: [{ name: 'A' }, { name: 'B', ...words }] })

  it.each([
    ['organizations[1].campaigns[1].lines: ', organization({ campaigns: ['X', { name: 'Y', lines: 'many' }] })],
    ['organizations[1].campaigns[0].name: this is required', organization({ campaigns: [{ lines: 3 }] })],
    [
      'organizations[1].campaigns[0].calling_hours.mon[0]: a window ends after it begins',
      organization({ campaigns: [{ name: 'X', calling_hours: { mon: [['17:00', '09:00']] } }] }),
    ],
    ['organizations[1].colour: there is no such field', organization({ colour: 'red' })],
    [
      'organizations[1].time_zone: Mars/Base is not a time zone of the IANA database',
      organization({ time_zone: 'Mars/Base' }),
    ],
    ['organizations[1].keys[0].mode: ', organization({ keys: ['dead'] })],
    [
      'organizations[1].keys[0].key_id: it is not that of a live key',
      organization({ keys: [{ mode: 'live', key_id: 'ck_test_a' }] }),
    ],
    [
      'organizations[1].keys[1].secret: the same as organizations[1].keys[0].secret',
      organization({
        keys: [
          { mode: 'live', secret: 'cs_live_a' },
          { mode: 'live', secret: 'cs_live_a' },
        ],
      }),
    ],
    [
      'organizations[1].keys[0].campaign_ids[0]: the organization has no campaign Z',
      organization({ keys: [{ mode: 'live', campaign_ids: ['Z'] }] }),
    ],
    [
      'organizations[1].campaigns[0].id: the same as organizations[1].id',
      organization({ id, campaigns: [{ id: id.toUpperCase(), name: 'X' }] }),
    ],
    [
      'organizations[1].scripts[0].phone: 12 is not a telephone number',
      organization({ scripts: [{ phone: '12', calls: [{ answer: 'busy' }] }] }),
    ],
    [
      'organizations[1].scripts[0].calls[0].answer: ',
      organization({ scripts: [{ phone: '+12125557812', calls: [{ answer: 'maybe' }] }] }),
    ],
    [
      'scripts[0].organization_id: there is no organization C',
      { organizations: ['A'], scripts: [{ phone: '+12125557812', organization_id: 'C', calls: [{ answer: 'busy' }] }] },
    ],
    ['organizations: ', { organizations: [] }],
    ['organizations: this is required', {}],
  ])('%s', async (told, world) => {
    expect(await faultsOf(world)).toContain(`The given world cannot be used:\n  ${told}`)
  })

  it('all at once, but no more than ten', async () => {
    const text = await faultsOf({ organizations: Array.from({ length: 12 }, () => ({ name: '' })) })
    expect(text.split('\n')).toHaveLength(12)
    expect(text).toContain('and 2 more')
  })

  it('and with the name of the file', async () => {
    const missing = temporaryFile('no.json')
    expect(await faultsOf(missing)).toContain(`The world file ${missing} cannot be read`)
    const broken = file('{"organizations": [')
    expect(await faultsOf(broken)).toContain(`The world file ${broken} is not JSON`)
    const wrong = file('{"organizations": [{"name": 3}]}')
    expect(await faultsOf(wrong)).toContain(`The world file ${wrong} cannot be used:\n  organizations[0].name: `)
  })

  it('and leaves the data file as it was', async () => {
    const data = temporaryFile()
    await (await simulate({ data })).simulator.close()
    await expect(startSimulator({ data, fresh: true, world: {} as WorldFileInput })).rejects.toThrow('cannot be used')
    const sim = await simulate({ data })
    expect(sim.simulator.resumed).toBe(true)
  })
})
