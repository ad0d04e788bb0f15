import { describe, expect, it } from 'vitest'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import { ManualMachine } from '../../support/manual-machine.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

interface LeadSeen {
  id: string
  status: string
  attempts: number
  last_outcome: string | null
}
interface EventSeen {
  id: string
  type: string
  created: string
}

const start = '2026-10-01T15:00:00.000Z'
const minute = 60_000
const at = (ms: number) => new Date(Date.parse(start) + ms).toISOString()
const person = (talk_seconds: number): ScriptedCall => ({
  answer: 'person',
  ring_seconds: 5,
  talk_seconds,
  outcome: 'not_interested',
})

/** A running world whose machine the test moves; it is closed, stays down so long, and starts again on its file. */
async function restarted(before: (sim: Simulation) => Promise<unknown>, downMs: number, options: object = {}) {
  const [data, machine] = [temporaryFile(), new ManualMachine()]
  const first = await simulate({ data, machine, now: start, paused: false })
  await before(first)
  await first.simulator.close()
  machine.pass(downMs)
  return { machine, sim: await simulate({ data, machine, now: '2030-01-01T00:00:00Z', ...options }) }
}

/** Whether the clock runs is the world's to remember. */
const running = { paused: undefined }

describe('a world that starts again on its file', () => {
  it('went on with the machine while the program was down, when its clock was running', async () => {
    const { sim, machine } = await restarted(async () => undefined, 10 * minute, running)
    expect(sim.now).toBe(at(10 * minute))
    machine.pass(1_000)
    expect(sim.now).toBe(at(10 * minute + 1_000))
  })

  it('is never earlier than it was, though the machine is', async () => {
    const { sim } = await restarted((first) => first.simulator.advance('2h'), -60 * minute, running)
    expect(Date.parse(sim.now)).toBeGreaterThanOrEqual(Date.parse(at(120 * minute)))
  })

  it('stands where it stood when it was paused', async () => {
    const data = temporaryFile()
    const machine = new ManualMachine()
    const first = await simulate({ data, machine, now: start })
    await first.simulator.advance('90s')
    await first.simulator.close()
    machine.pass(24 * 60 * minute)
    const again = await simulate({ data, machine, ...running })
    machine.pass(minute)
    expect(await again.control('GET', '/_sim/clock')).toEqual({ now: at(90_000), speed: 1, paused: true })
  })

  it('keeps its seed, its keys and its people, whatever seed and time it is told', async () => {
    const data = temporaryFile()
    const first = await simulate({ data, seed: 5 })
    const { id: lead } = await first.lead({ phone: '+12125557812' })
    await first.simulator.close()
    const again = await simulate({ data, seed: 6, now: '2030-01-01T00:00:00Z' })
    expect(again.simulator.resumed).toBe(true)
    expect(again.organization).toEqual(first.organization)
    expect(again.simulator.now()).toBe(start)
    expect((await again.live.get<LeadSeen>(`/leads/${lead}`)).data.id).toBe(lead)
  })

  it('is forgotten when a fresh one is asked for', async () => {
    const data = temporaryFile()
    const first = await simulate({ data, seed: 5 })
    const { id: lead } = await first.lead({ phone: '+12125557812' })
    await first.simulator.close()
    const again = await simulate({ data, fresh: true, seed: 6, now: '2026-10-02T15:00:00Z' })
    expect([again.simulator.resumed, again.simulator.now()]).toEqual([false, '2026-10-02T15:00:00.000Z'])
    expect(again.live.key.secret).not.toBe(first.live.key.secret)
    expect((await again.live.get(`/leads/${lead}`)).status).toBe(404)
  })

  it('runs late, at once and in due order what fell due meanwhile', async () => {
    const phones = ['+12125557811', '+12125557812', '+12125557813']
    const { sim, machine } = await restarted(
      async (first) => {
        for (const [i, phone] of phones.entries()) await first.scripted(phone, person(90 - 30 * i))
      },
      60 * minute,
      running,
    )
    machine.pass(1)
    const { data } =
      await sim.live.get<(EventSeen & { data: { object: { lead: { phone: string } } } })[]>(
        '/events?type=call.completed',
      )
    // The shortest call was over first.
    expect(data.map((event) => event.data.object.lead.phone)).toEqual(phones)
    expect(new Set(data.map(({ created }) => created))).toEqual(new Set([at(60 * minute)]))
  })

  it('goes on with a call that was under way, on time, when time stood still meanwhile', async () => {
    const data = temporaryFile()
    const first = await simulate({ data })
    const lead = await first.scripted('+12125557812', person(60))
    await first.simulator.advance('30s')
    await first.simulator.close()
    const again = await simulate({ data })
    const status = async () => (await again.live.get<LeadSeen>(`/leads/${lead}`)).data.status
    expect(await status()).toBe('on_call')
    await again.simulator.advance('34s')
    expect(await status()).toBe('on_call')
    await again.simulator.advance('1s')
    expect(await status()).toBe('done')
  })

  it('can be started many times, and each close leaves the file to the next', async () => {
    const data = temporaryFile()
    for (let i = 0; i < 3; i++) {
      const sim = await simulate({ data })
      await sim.lead({ phone: `+1212555781${i}` })
      await sim.simulator.close()
      await sim.simulator.close()
    }
    const last = await simulate({ data })
    expect((await last.live.get<LeadSeen[]>('/leads')).data.length).toBe(3)
  })
})

describe('a simulator that closes', () => {
  it('does so at once while an advance waits for a receiver that hangs, and time stands where it was', async () => {
    const receiver = await Receiver.start(() => new Promise(() => undefined))
    const data = temporaryFile()
    const sim = await simulate({ data, allowLocalWebhooks: true })
    await sim.live.post('/webhook_endpoints', { url: receiver.url, events: ['call.completed'] })
    await sim.scripted('+12125557812', person(60))
    const advancing = expect(sim.simulator.advance('1h')).rejects.toMatchObject({ code: 'service_unavailable' })
    await receiver.waitFor(1)
    await sim.simulator.close()
    await advancing
    const again = await simulate({ data })
    expect(again.simulator.now()).toBe(at(65_000))
    await receiver.close()
  })
})
