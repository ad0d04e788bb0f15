/** Who a call says asked for it. */
import { describe, expect, it } from 'vitest'
import type { Call } from '../../../src/contract/calls.js'
import type { DncEntry } from '../../../src/contract/dnc.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const dialer = { type: 'dialer', api_key_id: null }

/** A lead whose call was asked for through the API and waits for a line. */
async function asked(): Promise<{ sim: Simulation; id: string; phone: string }> {
  const sim = await simulate()
  await sim.changeCampaign({ duplicate_window_days: 0, lines: 0 })
  const phone = sim.phone()
  const { id } = await sim.lead({ phone })
  await sim.live.post('/calls', { lead_id: id })
  return { sim, id, phone }
}

async function startedBy(sim: Simulation) {
  await sim.changeCampaign({ lines: 1 })
  const [call] = await sim.live.all<Call>('/calls')
  return call?.started_by
}

describe('a call that was asked for through the API and never made', () => {
  it('is not the one a lead gets that opted out and was sent again', async () => {
    const { sim, id, phone } = await asked()
    await sim.live.post(`/leads/${id}/opt_out`)
    const [entry] = await sim.live.all<DncEntry>('/dnc', 'cursor')
    await sim.live.del(`/dnc/${entry?.id}`)
    await sim.lead({ phone, call_now: false })
    expect(await startedBy(sim)).toEqual(dialer)
  })

  it('is not the one a lead gets whose campaign was completed and goes on', async () => {
    const { sim, phone } = await asked()
    await sim.changeCampaign({ status: 'completed' })
    await sim.changeCampaign({ status: 'running' })
    await sim.lead({ phone, call_now: false })
    expect(await startedBy(sim)).toEqual(dialer)
  })

  it('is the one a lead gets that waits for it', async () => {
    const { sim } = await asked()
    expect(await startedBy(sim)).toEqual({ type: 'api', api_key_id: sim.live.key.key_id })
  })
})
