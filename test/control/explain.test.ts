/** The explanation of a lead by the control plane: what each dialing rule says, and which one decides. */
import { describe, expect, it } from 'vitest'
import { dialingRules, type Explanation } from '../../src/contract/control/explain.js'
import { simulate, type Simulation } from '../support/simulate.js'

const explain = (sim: Simulation, id: string, query = '') =>
  sim.control<Explanation>('GET', `/_sim/leads/${id}/explain${query}`)

const says = ({ rules }: Explanation) => Object.fromEntries(rules.map((one) => [one.rule, one.says]))

describe('GET /_sim/leads/{id}/explain', () => {
  it('has every rule in order, and the one that decides', async () => {
    const sim = await simulate({ now: '2026-10-01T15:00:00Z' })
    const { id } = await sim.lead({ phone: '+18082011000', name: 'Ann' })
    const found = await explain(sim, id)
    expect(found).toMatchObject({
      ...{ lead_id: id, at: '2026-10-01T15:00:00.000Z', decides: 'calling_hours' },
      next_call_at: '2026-10-01T18:00:00.000Z',
    })
    expect(found.rules.map(({ rule }) => rule)).toEqual(dialingRules)
    expect(found.rules[1]).toEqual({
      ...{ rule: 'calling_hours', label: 'calling hours 08:00-21:00', verdict: 'waits' },
      ...{ says: 'closed there since 21:00, open at 08:00', until: '2026-10-01T18:00:00.000Z' },
    })
    expect(says(found)).toMatchObject({ campaign: 'yes', dnc: 'not listed', attempts: '0 of 6', lines: '0 of 5 busy' })
  })
})
