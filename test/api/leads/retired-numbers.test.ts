/** Which calls count when a campaign gives a number up. */
import { describe, expect, it } from 'vitest'
import type { DncEntry } from '../../../src/contract/dnc.js'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import { simulate, type Simulation } from '../../support/simulate.js'

/** The lead opts out while its call rings, and its number is taken off the list again when the call is over. */
async function optOutWhileItRings(sim: Simulation, id: string): Promise<void> {
  await sim.live.post(`/leads/${id}/opt_out`)
  await sim.advance('2m')
  const [entry] = await sim.live.all<DncEntry>('/dnc', 'cursor')
  await sim.live.del(`/dnc/${entry?.id}`)
}

const failed: ScriptedCall = { answer: 'failed', ring_seconds: 60 }
const answered: ScriptedCall = { answer: 'person', ring_seconds: 60, talk_seconds: 1, outcome: 'other' }

describe('a call whose lead opted out while it rang', () => {
  it('counts among the failed ones', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ retire_after_failures: 1 })
    const phone = sim.phone()
    await sim.script(phone, failed)
    const { id } = await sim.lead({ phone })
    await optOutWhileItRings(sim, id)
    expect((await sim.live.post('/calls', { lead_id: id })).error.code).toBe('number_retired')
  })

  it('breaks their row when it got through', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ retire_after_failures: 2 })
    const phone = sim.phone()
    await sim.script(phone, failed, answered, failed)
    const { id } = await sim.lead({ phone })
    await sim.advance('2m')
    await sim.live.post('/calls', { lead_id: id })
    await optOutWhileItRings(sim, id)
    await sim.live.post('/calls', { lead_id: id })
    await sim.advance('2m')
    expect((await sim.live.post('/calls', { lead_id: id })).status).toBe(202)
  })
})
