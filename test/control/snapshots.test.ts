import { readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../src/contract/control/snapshots.js'
import { Receiver } from '../support/receiver.js'
import { simulate, type Simulation } from '../support/simulate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const save = (sim: Simulation, name: string) => sim.ask<Snapshot>('POST', '/_sim/snapshots', { name })
const restore = (sim: Simulation, name: string) =>
  sim.ask<Snapshot>('POST', `/_sim/snapshots/${encodeURIComponent(name)}/restore`)
const names = async (sim: Simulation) =>
  (await sim.control<Snapshot[]>('GET', '/_sim/snapshots')).map(({ name }) => name)

/** All that the API and the control plane show of a world. */
async function shown(sim: Simulation) {
  const world = await sim.control('GET', '/_sim/world')
  const agenda = await sim.control('GET', '/_sim/agenda')
  return {
    now: sim.now,
    world,
    agenda,
    leads: await sim.live.all('/leads'),
    calls: await sim.live.all('/calls'),
    events: await sim.events(),
  }
}

const stores = [
  ['in memory', () => ':memory:'],
  ['in a file', () => `${temporaryFolder()}/world.db`],
] as const

describe.each(stores)('snapshots of a world %s', (_where, data) => {
  it('bring everything back as it was, and it goes on the same way', async () => {
    const sim = await simulate({ data: data() })
    for (let i = 0; i < 8; i++) await sim.lead()
    await sim.advance('3m')
    const { status, data: saved } = await save(sim, 'before')
    expect([status, saved]).toEqual([201, { name: 'before', now: sim.now }])
    const before = await shown(sim)
    await sim.advance('2d')
    const after = await shown(sim)
    await sim.control('POST', '/_sim/clock/advance', { by: '1d' })
    for (let i = 0; i < 2; i++) {
      expect((await restore(sim, 'before')).data).toEqual(saved)
      expect(await shown(sim)).toEqual(before)
    }
    await sim.advance('2d')
    expect(await shown(sim)).toEqual(after)
  })

  it('outlive a reset and one another, and are replaced by name', async () => {
    const sim = await simulate({ data: data() })
    await save(sim, 'empty')
    const { id } = await sim.lead()
    await save(sim, 'A / Ü 100%')
    await save(sim, 'a / ü 100%')
    await sim.control('POST', '/_sim/reset', { seed: 7, now: '2027-01-01T00:00:00Z' })
    expect(await names(sim)).toEqual(['A / Ü 100%', 'a / ü 100%', 'empty'])
    await sim.look()
    await restore(sim, 'A / Ü 100%')
    await sim.look()
    expect(await sim.readLead(id)).toMatchObject({ id })
    await save(sim, 'empty')
    await restore(sim, 'empty')
    expect(await sim.live.all('/leads')).toHaveLength(1)
  })

  it('are forgotten by name, and those that are not there are 404', async () => {
    const sim = await simulate({ data: data() })
    await save(sim, 'one')
    const one = '/_sim/snapshots/one'
    expect((await sim.ask('DELETE', one)).data).toMatchObject({ name: 'one' })
    expect(await names(sim)).toEqual([])
    expect((await sim.ask('DELETE', one)).error.code).toBe('not_found')
    expect((await restore(sim, 'one')).error.code).toBe('not_found')
    expect((await save(sim, '')).error).toMatchObject({ code: 'invalid_request', param: 'name' })
  })
})

describe('a restored world', () => {
  it('has its own clock: standing or running, as it was', async () => {
    const sim = await simulate()
    await save(sim, 'standing')
    await sim.control('PATCH', '/_sim/clock', { paused: false, speed: 3_600 })
    await save(sim, 'running')
    await restore(sim, 'standing')
    expect(await sim.control('GET', '/_sim/clock')).toEqual({ now: '2026-10-01T15:00:00.000Z', speed: 1, paused: true })
    const { data } = await restore(sim, 'running')
    expect(await sim.control('GET', '/_sim/clock')).toMatchObject({ speed: 3_600, paused: false })
    expect(Date.parse(data.now) - Date.parse('2026-10-01T15:00:00Z')).toBeLessThan(24 * 3_600_000)
  })

  it('sends again what was on its way when it was saved', async () => {
    let answers = false
    const receiver = await Receiver.start(() => (answers ? { status: 204 } : new Promise(() => undefined)))
    const sim = await simulate({ allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await sim.lead()
    await receiver.waitFor(1)
    await save(sim, 'sending')
    answers = true
    await restore(sim, 'sending')
    await receiver.waitFor(2)
    await sim.advance('1m')
    const [first, second] = receiver.requests
    expect(second?.headers['service-event-id']).toBe(first?.headers['service-event-id'])
    expect(await sim.control('GET', '/_sim/deliveries')).toMatchObject([{ status: 'sent', attempts: 1 }])
    await receiver.close()
  })

  it('gives request ids that no earlier request had', async () => {
    const sim = await simulate()
    const ids = [(await sim.live.get('/leads')).requestId]
    await save(sim, 'one')
    ids.push((await sim.live.get('/leads')).requestId)
    await restore(sim, 'one')
    ids.push((await sim.live.get('/leads')).requestId)
    expect(new Set(ids).size).toBe(3)
  })
})

describe('snapshots beside a file', () => {
  it('are files that only their owner can read, and are there after a restart', async () => {
    const folder = temporaryFolder()
    const data = `${folder}/world.db`
    const sim = await simulate({ data })
    const { id } = await sim.lead()
    await save(sim, 'kept')
    const files = readdirSync(`${data}.snapshots`)
    expect(files).toHaveLength(1)
    expect(statSync(`${data}.snapshots/${files[0]}`).mode & 0o777).toBe(0o600)
    expect(statSync(`${data}.snapshots`).mode & 0o777).toBe(0o700)
    await sim.simulator.close()
    const again = await simulate({ data, fresh: true })
    expect(await again.live.all('/leads')).toEqual([])
    await restore(again, 'kept')
    expect(await again.readLead(id)).toMatchObject({ id })
  })
})
