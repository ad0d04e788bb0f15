import { describe, expect, it } from 'vitest'
import { request } from 'undici'
import { simulate, type Simulation } from '../support/simulate.js'
import { temporaryFile } from '../support/temporary-folder.js'

/** The same requests and clock moves each time; between two of them the world may be closed and started again. */
async function played(options: {
  seed: number
  data?: string
  restart?: boolean
}): Promise<{ log: string; ids: string[] }> {
  let sim = await simulate(options)
  const pause = async () => {
    if (!options.restart) return
    await sim.simulator.close()
    sim = await simulate(options)
  }
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    ids.push((await sim.lead({ phone: `+1212${5_560_000 + n}`, call_now: n % 3 === 0, external_id: `lead-${n}` })).id)
  }
  await sim.advance('5m')
  await pause()
  await sim.live.post(`/leads/${ids[2]}/opt_out`, { reason: 'asked' })
  await sim.live.post('/dnc', { phone: '+12125560003' })
  await sim.advance('26h')
  await pause()
  await sim.live.patch(`/leads/${ids[5]}`, { name: 'Ada' })
  await sim.advance('4d')
  return { log: await eventLog(sim), ids }
}

/** Every page of the event log, byte for byte as it is sent. */
async function eventLog(sim: Simulation): Promise<string> {
  let log = ''
  for (let after = ''; ;) {
    const { body } = await request(`${sim.baseUrl}/events?limit=100${after}`, {
      headers: { authorization: `Bearer ${sim.live.key.secret}` },
    })
    const page = await body.text()
    log += page
    const { meta } = JSON.parse(page) as { meta: { next_cursor: string | null } }
    if (meta.next_cursor === null) return log
    after = `&starting_after=${meta.next_cursor}`
  }
}

describe('the same seed, start, requests and clock moves', () => {
  it('give the same ids and the same event log, byte for byte; another seed gives others', async () => {
    const [first, second, other] = [await played({ seed: 7 }), await played({ seed: 7 }), await played({ seed: 8 })]
    expect(first.log.length).toBeGreaterThan(20_000)
    expect(second).toEqual(first)
    expect(other.ids).not.toEqual(first.ids)
    expect(other.log).not.toBe(first.log)
  })

  it('give the same though the world was kept in a file and started again on the way', async () => {
    const whole = await played({ seed: 7 })
    expect(await played({ seed: 7, data: temporaryFile(), restart: true })).toEqual(whole)
  })
})
