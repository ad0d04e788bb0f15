import { appendFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/contract/control/snapshots.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFile, temporaryFolder } from '../../support/temporary-folder.js'

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
    expect([status, saved]).toEqual([201, { name: 'before', now: sim.now, saved_at: expect.any(String) as string }])
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

  it('say when they were saved, by the clock of the machine', async () => {
    const sim = await simulate({ data: data(), now: '2031-10-01T15:00:00Z' })
    const from = Date.now()
    await save(sim, 'one')
    const [listed] = await sim.control<Snapshot[]>('GET', '/_sim/snapshots')
    expect(listed).toMatchObject({ now: '2031-10-01T15:00:00.000Z' })
    const savedAt = Date.parse(listed?.saved_at ?? '')
    expect(savedAt).toBeGreaterThanOrEqual(from)
    expect(savedAt).toBeLessThanOrEqual(Date.now())
    await sim.advance('1d')
    expect((await restore(sim, 'one')).data).toEqual(listed)
    expect((await sim.ask('DELETE', '/_sim/snapshots/one')).data).toEqual(listed)
  })

  it('are forgotten by name, and those that are not there are 404', async () => {
    const sim = await simulate({ data: data() })
    await save(sim, 'one')
    const one = '/_sim/snapshots/one'
    expect((await sim.ask('DELETE', one)).data).toMatchObject({ name: 'one' })
    expect(await names(sim)).toEqual([])
    expect((await sim.ask('DELETE', one)).error.code).toBe('not_found')
    expect((await restore(sim, 'one')).error.code).toBe('not_found')
  })

  it.each(['', '.', '..', ' ', ' a', 'a ', 'a\nb', '\u0000', 'x'.repeat(101)])('are not saved as %j', async (name) => {
    const sim = await simulate({ data: data() })
    expect((await save(sim, name)).error).toMatchObject({ code: 'invalid_request', param: 'name' })
    expect(await names(sim)).toEqual([])
  })

  it.each(['a/b', '../a', '...', '%2e%2e', 'x'.repeat(100), 'Ünï cödé', '😀?#&'])(
    'are saved as %j, put back and forgotten',
    async (name) => {
      const sim = await simulate({ data: data() })
      expect((await save(sim, name)).data.name).toBe(name)
      expect(await names(sim)).toEqual([name])
      expect((await restore(sim, name)).data.name).toBe(name)
      const gone = await sim.ask<Snapshot>('DELETE', `/_sim/snapshots/${encodeURIComponent(name)}`)
      expect([gone.data.name, await names(sim)]).toEqual([name, []])
    },
  )

  it('bring back what keys were and what idempotency keys had been used for', async () => {
    const sim = await simulate({ data: data() })
    const words = { campaign_id: sim.campaignId, phone: sim.phone() }
    const key = { 'idempotency-key': 'one' }
    await save(sim, 'before')
    const first = await sim.live.post<{ id: string }>('/leads', words, key)
    await sim.control('PATCH', `/_sim/keys/${sim.live.key.key_id}`, { status: 'revoked' })
    await restore(sim, 'before')
    const again = await sim.live.post<{ id: string }>('/leads', words, key)
    expect([again.status, again.headers['idempotent-replayed'], again.data.id]).toEqual([201, undefined, first.data.id])
    await save(sim, 'after')
    await restore(sim, 'after')
    expect((await sim.live.post('/leads', words, key)).headers['idempotent-replayed']).toBe('true')
  })

  it('are the whole state alone: body fields that nobody knows are refused', async () => {
    const sim = await simulate({ data: data() })
    expect((await sim.ask('POST', '/_sim/snapshots', { name: 'x', leads: [] })).error.param).toBe('leads')
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
  it('that were cut short or changed are not put back, and can be deleted', async () => {
    const data = temporaryFile()
    const sim = await simulate({ data })
    const { id } = await sim.lead()
    const folder = `${data}.snapshots`
    for (const harm of [
      (path: string) => truncateSync(path, 5_000),
      (path: string) => truncateSync(path, 3),
      (path: string) => appendFileSync(path, 'x'),
      (path: string) => writeFileSync(path, ''),
    ]) {
      await save(sim, 'one')
      for (const file of readdirSync(folder)) harm(join(folder, file))
      const { status, error } = await restore(sim, 'one')
      expect([status, error.code, error.message]).toEqual([
        400,
        'invalid_request',
        'The snapshot one is damaged. Nothing was changed. Delete it and save another.',
      ])
      const created = await sim.ask('POST', '/_sim/worlds', { from: { snapshot: 'one' } })
      expect([created.status, created.error.message]).toEqual([400, error.message])
      expect(await sim.readLead(id)).toMatchObject({ id })
      expect((await sim.ask('DELETE', '/_sim/snapshots/one')).status).toBe(200)
    }
    writeFileSync(join(folder, 'notes.snapshot'), 'These are mine.')
    expect(await names(sim)).toEqual([])
  })

  it('are files that only their owner can read, and are there after a restart', async () => {
    const folder = temporaryFolder()
    const data = `${folder}/world.db`
    const sim = await simulate({ data, seed: 1 })
    const { id } = await sim.lead()
    await save(sim, 'kept')
    const files = readdirSync(`${data}.snapshots`)
    expect(files).toHaveLength(1)
    expect(statSync(`${data}.snapshots/${files[0]}`).mode & 0o777).toBe(0o600)
    expect(statSync(`${data}.snapshots`).mode & 0o777).toBe(0o700)
    await sim.simulator.close()
    const again = await simulate({ data, seed: 1, fresh: true })
    expect(await again.live.all('/leads')).toEqual([])
    await restore(again, 'kept')
    expect(await again.readLead(id)).toMatchObject({ id })
  })
})
