/** A disk that is full or fails under a running simulator: said in words, nothing by halves, and no restart needed after it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { Event } from '../../../src/contract/events.js'
import type { Lead } from '../../../src/contract/leads.js'
import { startSimulator } from '../../../simulator/index.js'
import { KillableService } from '../../support/crashes/killable-service.js'
import { preload } from '../../support/crashes/preload.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { simulate } from '../../support/simulate.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const workshop = mkdtempSync(join(tmpdir(), 'lead-calling-'))
afterAll(() => rmSync(workshop, { recursive: true }))
const { library, obstacle } = preload('failing-disk', workshop)

type Fault = 'ENOSPC' | 'EIO-write' | 'EIO-fsync'

let receiver: Receiver
beforeEach(async () => {
  receiver = await Receiver.start()
})
afterEach(() => receiver.close())

/** A simulator with a disk that fails on request. */
async function onFailingDisk(how: { paused?: boolean; speed?: number } = {}) {
  const [folder, data] = [temporaryFolder(), join(temporaryFolder(), 'world.db')]
  const fault = join(folder, 'fault')
  const env = { LD_PRELOAD: library, DISK_FAULT: fault, DISK_FAULT_FOLDER: data }
  const service = await KillableService.start({ data, ...how }, env)
  return {
    data,
    service,
    fail: (kind: Fault) => writeFileSync(fault, kind),
    recover: () => rmSync(fault),
    lead: (n: number) => ({ campaign_id: service.campaign, phone: `+1646201${1000 + n}`, external_id: `lead-${n}` }),
    clock: async () => (await service.ask<{ now: string; paused: boolean }>('GET', '/_sim/clock')).data,
    leads: async () =>
      (await service.get<Lead[]>('/leads?limit=100')).map(({ external_id, status }) => [external_id, status]),
  }
}

const refused = { status: 503, code: 'service_unavailable' }

describe.skipIf(obstacle)(`on a disk that fails${obstacle ? `, not tried here: ${obstacle}` : ''}`, () => {
  it('writes are refused, reads go on, time stands, and all is well when it is over, after a kill too', async () => {
    const { data, service, fail, recover, lead, clock, leads } = await onFailingDisk()
    await service.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    const first = await service.post<Lead>('/leads', lead(0), 'first')
    expect(first.status).toBe(201)
    await receiver.waitFor(1)
    for (const [round, fault] of (['ENOSPC', 'EIO-write', 'EIO-fsync'] as const).entries()) {
      const [one, two, three] = [lead(3 * round + 1), lead(3 * round + 2), lead(3 * round + 3)]
      const [name, batch] = [`add-${fault}`, { campaign_id: service.campaign, leads: [two, three] }]
      const [before, shown] = [await leads(), await clock()]
      fail(fault)
      const writes = [
        () => service.ask('POST', '/leads', one, name),
        () => service.ask('POST', '/leads/batch', batch),
        () => service.ask('PATCH', `/leads/${first.data.id}`, { name: fault }, `${name}-patch`),
        () => service.ask('POST', `/leads/${first.data.id}/opt_out`, {}),
        () => service.ask('POST', '/dnc', { phone: '+16462012000' }),
        () => service.ask('POST', '/exports', { exportType: 'leads' }),
        () => service.ask('POST', '/_sim/clock/advance', { by: '1h' }),
        () => service.ask('PATCH', '/_sim/clock', { paused: false, speed: 60 }),
        () => service.ask('POST', '/_sim/snapshots', { name: 'now' }),
        () => service.ask('POST', '/_sim/reset', {}),
      ]
      for (const write of writes) expect([fault, await write()]).toMatchObject([fault, refused])
      expect([await leads(), await clock()]).toEqual([before, shown])
      expect((await service.ask('GET', '/dnc')).data).toEqual([])
      expect((await service.ask('GET', '/usage')).data).toMatchObject({
        totals: { leads_added: 3 * round + (round && 1) },
      })

      recover()
      expect(await service.post('/leads', one, name)).toMatchObject({ status: 201, replayed: false })
      expect((await service.post<{ succeeded: number }>('/leads/batch', batch)).data.succeeded).toBe(2)
      expect(await clock()).toEqual(shown)
      await service.advance('1h')
      expect(Date.parse((await clock()).now) - Date.parse(shown.now)).toBe(3_600_000)
    }
    const after = await leads()
    const { totals } = (await service.ask<{ totals: object }>('GET', '/usage')).data
    expect(after.map(([name]) => name)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `lead-${n}`))
    expect(totals).toMatchObject({ leads_added: 10 })
    await service.kill()

    const again = await simulate({ data, allowLocalWebhooks: true })
    expect((await again.live.all<Lead>('/leads')).map(({ external_id, status }) => [external_id, status])).toEqual(
      after,
    )
    const told = (await again.live.all<Event>('/events?type=lead.created')).map(({ id }) => id)
    expect(told).toHaveLength(10)
    expect(new Set(receiver.requests.map(({ headers }) => headers['service-event-id']))).toEqual(new Set(told))
    expect(receiver.requests).toHaveLength(10)
    expect((await again.live.get<{ totals: object }>('/usage')).data.totals).toEqual(totals)
  })

  it('no simulator starts: the program says why and ends, and the file is as it was', async () => {
    const [data, fault] = [join(temporaryFolder(), 'world.db'), join(temporaryFolder(), 'fault')]
    const simulator = await startSimulator({ data, now: '2026-10-01T15:00:00Z', paused: true })
    await simulator.close()
    const bytes = readFileSync(data)
    writeFileSync(fault, 'ENOSPC')
    const env = { LD_PRELOAD: library, DISK_FAULT: fault, DISK_FAULT_FOLDER: data }
    await expect(KillableService.start({ data }, env)).rejects.toThrow(`${data} cannot be used: the disk is full`)
    expect(readFileSync(data).equals(bytes)).toBe(true)
  })

  it('what a receiver answered meanwhile is written down when it is over: nothing is sent twice', async () => {
    const { service, fail, recover, lead } = await onFailingDisk()
    let answer: () => void = () => undefined
    receiver.answer = () => new Promise((resolve) => (answer = () => resolve({ status: 204 })))
    const words = { url: receiver.url, events: ['lead.created'] }
    const { id } = (await service.post<{ id: string }>('/webhook_endpoints', words)).data
    await service.post('/leads', lead(0))
    await receiver.waitFor(1)
    const delivery = async () => (await service.get<Delivery[]>(`/webhook_endpoints/${id}/deliveries`))[0]

    fail('ENOSPC')
    answer()
    // The answer has come when the refused step after it is over.
    await expect.poll(() => receiver.unanswered).toBe(0)
    expect(await service.ask('POST', '/_sim/clock/advance', { by: '1m' })).toMatchObject(refused)
    expect(await delivery()).toMatchObject({ status: 'pending', attempts: 0 })

    recover()
    await expect
      .poll(delivery, { timeout: 10_000 })
      .toMatchObject({ status: 'sent', attempts: 1, response_status: 204 })
    await service.advance('1d')
    expect(receiver.requests).toHaveLength(1)
  })

  it.each(['ENOSPC', 'EIO-fsync'] as const)(
    'a push that meets %s on its way is refused where time has come to, and the next one goes on from there',
    async (fault) => {
      const { data, service, fail, recover, lead, clock } = await onFailingDisk()
      const before = await clock()
      const words = { url: receiver.url, events: ['call.completed'] }
      await service.post('/webhook_endpoints', words)
      for (let n = 0; n < 40; n++) await service.post('/leads', lead(n))
      receiver.answer = () => {
        if (receiver.requests.length === 3) fail(fault)
        return { status: 204 }
      }
      expect(await service.ask('POST', '/_sim/clock/advance', { by: '1d' })).toMatchObject(refused)
      const stood = await clock()
      // Calls at the start of the push have tasks exactly a day later. If only the last wait for the disk fails, time is there.
      expect(stood.now >= before.now && Date.parse(stood.now) <= Date.parse(before.now) + 86_400_000).toBe(true)
      recover()
      await service.advance('1d')
      expect(Date.parse((await clock()).now)).toBe(Date.parse(stood.now) + 86_400_000)
      await service.kill()

      const again = await simulate({ data, allowLocalWebhooks: true })
      const completed = (await again.live.all<Event>('/events?type=call.completed')).map(({ id }) => id)
      expect(completed.length).toBeGreaterThan(3)
      expect(new Set(receiver.requests.map(({ headers }) => headers['service-event-id']))).toEqual(new Set(completed))
    },
  )

  it('time that passes by itself goes on by itself when it is over, and reads are answered until then', async () => {
    const { service, fail, recover, lead, leads } = await onFailingDisk({ paused: false, speed: 120 })
    await service.post('/webhook_endpoints', { url: receiver.url, events: ['call.completed'] })
    expect((await service.post('/leads', lead(0))).status).toBe(201)
    fail('EIO-write')
    // A write that is refused was asked for after what was due, and that cannot be kept.
    expect(await service.ask('POST', '/leads', lead(1))).toMatchObject(refused)
    // How far the call of the first lead got before the disk failed depends on the machine.
    expect((await leads()).map(([id]) => id)).toEqual(['lead-0'])
    recover()
    await receiver.waitFor(1)
    expect((await leads()).length).toBe(1)
  })
})
