/** A correction does not move a lead that a person has put back in the queue since the call. */
import { describe, expect, it } from 'vitest'
import type { Call } from '../../src/contract/calls.js'
import { simulate, type Simulation } from '../support/simulate.js'

/** A `call_now` lead after an unanswered first call, in a campaign that is on hold. */
async function triedOnce(ring_seconds: number) {
  const sim = await simulate()
  const phone = sim.phone()
  await sim.script(phone, { answer: 'no_answer', ring_seconds })
  const { id } = await sim.lead({ phone, call_now: true })
  await sim.advance(`${ring_seconds}s`)
  await sim.changeCampaign({ lines: 0 })
  const [call] = await sim.live.all<Call>('/calls')
  return { sim, id, correct: (outcome: string) => sim.control('PATCH', `/_sim/calls/${call?.id}`, { outcome }) }
}

describe('a lead that waited for its next try when it', () => {
  it.each([
    ['was put back in the queue', (sim: Simulation, id: string) => sim.ask('POST', `/_sim/leads/${id}/put_back`)],
    ['was asked to be called', (sim: Simulation, id: string) => sim.live.post('/calls', { lead_id: id })],
    [
      'was given a time to be called',
      (sim: Simulation, id: string) => sim.ask('PATCH', `/_sim/leads/${id}`, { next_dial_at: '2026-10-02T18:00:00Z' }),
    ],
  ])('%s is not moved by a correction of the call before', async (_how, comesBack) => {
    for (const ring_seconds of [0, 30]) {
      const { sim, id, correct } = await triedOnce(ring_seconds)
      await comesBack(sim, id)
      const { status, scheduled_for } = await sim.readLead(id)
      await correct('not_interested')
      expect(await sim.readLead(id)).toMatchObject({ status, scheduled_for, last_outcome: 'not_interested' })
    }
  })

  it('was left alone follows it', async () => {
    const { sim, id, correct } = await triedOnce(0)
    await correct('not_interested')
    expect((await sim.readLead(id)).status).toBe('done')
  })
})
