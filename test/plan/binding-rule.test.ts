/** Which rule holds a plan back, from runs with rules taken away. */
import { describe, expect, it } from 'vitest'
import { findBindingRule } from '../../src/cli/plan/binding-rule.js'
import { PlanRuns } from '../../src/cli/plan/plan-runs.js'
import type { WorldResult, WorldRun } from '../../src/plan/planned-world.js'

const hour = 3_600_000
const limit = 1_000 * hour
const result = (finished: number | null): WorldResult => ({
  finished,
  ...{ unfinished: 0, held: null, late: 0, reached: 0, interested: 0, calls: 0, connected: 0, minutes: 0 },
  ...{ allBusyMs: 0, lineMs: 0, hours: [] },
})

/** Hours until the leads are done, by what is relaxed. */
interface Ends {
  now: number
  lines: number
  retries: number
  hours: number
}

/** What binds with 5 lines, by the ends of each seed, and the seeds that were asked about retries. */
async function bindingOf(seeds: readonly Ends[]) {
  const asked: number[] = []
  const endOf = ({ lines, seed, changes }: WorldRun): number => {
    const ends = seeds[seed]!
    if (changes?.max_attempts !== undefined) return (asked.push(seed), ends.retries)
    return changes ? ends.hours : lines === 100 ? ends.lines : ends.now
  }
  const run = async (one: WorldRun) => {
    const end = endOf(one) * hour
    return Promise.resolve(result(end <= one.until ? end : null))
  }
  const runs = new PlanRuns({ run, seeds: [...seeds.keys()], limit, deadline: null, atOnce: 2 })
  const campaign = {
    ...{ calling_hours: { mon: [['09:00', '18:00']] } as const, any_hour: false, max_attempts: 3 },
    ...{ retire_after_failures: 3, spend_cap_usd: null, spent_usd: 0 },
  }
  const context = { runs, campaign, hasRate: false, mostLines: 100, zones: ['America/New_York'], start: 0, limit }
  return { ...(await findBindingRule(context, 5)), asked }
}

describe('what binds', () => {
  const retries = { now: 100, lines: 90, retries: 40, hours: 80 }
  const lines = { now: 100, lines: 40, retries: 90, hours: 80 }

  it('is the rule without which the leads are done soonest, from one seed if that is clear', async () => {
    expect(await bindingOf([retries, retries, retries])).toEqual({ rule: 'retries', isCertain: true, asked: [0] })
    expect(await bindingOf([lines, lines])).toEqual({ rule: 'lines', isCertain: true, asked: [0] })
    expect((await bindingOf([{ now: 100, lines: 100, retries: 100, hours: 50 }])).rule).toBe('hours')
    expect((await bindingOf([{ now: 100, lines: 100, retries: 100, hours: 100 }])).rule).toBe('nothing')
  })

  it('is asked of further seeds if the first one is not clear', async () => {
    const close = { ...retries, lines: 40.5 }
    expect(await bindingOf([close, retries, lines])).toEqual({ rule: 'retries', isCertain: true, asked: [0, 1] })
  })

  it('is uncertain if the seeds name different rules, and then what most of them name', async () => {
    const close = { ...retries, lines: 40.5 }
    expect(await bindingOf([close, lines, lines])).toEqual({ rule: 'lines', isCertain: false, asked: [0, 1, 2] })
    // Ends that differ much between the seeds make a small lead unclear, too.
    const late = { ...retries, now: 400, lines: 140 }
    expect(await bindingOf([late, retries])).toMatchObject({ rule: 'retries', asked: [0, 1] })
  })
})
