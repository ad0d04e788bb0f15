/**
 * Tests a fit on the last days: a mix is fitted to the calls before them, and the leads that were first called in them are
 * simulated with it.
 */
import { dayOf } from '../../../phone/local-day.js'
import type { PlanSettings, WorldResult } from '../../../plan/planned-world.js'
import type { BackTestDay } from './calibration.js'
import { fitMix, type MadeCall } from './fit-mix.js'
import { mean } from '../percentile.js'
import { WorldThreads } from '../world-threads.js'

export interface TestedCall extends MadeCall {
  lead: string
  phone: string
  /** Milliseconds. */
  started: number
}

export interface BackTest {
  back_test: BackTestDay[] | null
  back_test_missing: string | null
}

const dayMs = 86_400_000
const hourMs = 3_600_000
/** The last quarter of the calls' time, and at most this. */
const testedShare = 0.25
const testedMaxMs = 7 * dayMs
const callsBefore = 200
const leadsTested = 50
const seeds = [1, 2, 3]

export async function backTest({
  calls,
  settings,
  now,
  signal,
}: {
  /** Oldest first. */
  calls: readonly TestedCall[]
  settings: PlanSettings
  now: number
  signal: AbortSignal
}): Promise<BackTest> {
  const oldest = calls[0]?.started ?? now
  const begin = Math.floor((now - Math.min((now - oldest) * testedShare, testedMaxMs)) / hourMs) * hourMs
  const before = calls.filter(({ started }) => started < begin)
  const cohort = new Map<string, TestedCall>()
  for (const call of calls) if (call.started >= begin && call.attempt === 1) cohort.set(call.lead, call)
  if (before.length < callsBefore || cohort.size < leadsTested) return tooLittle(before.length, cohort.size)
  const leads = [...cohort.values()].map(({ phone, started }) => ({ phone, at: started }))
  const { threads } = await WorldThreads.open(
    { ...settings, start: begin, mix: fitMix(before), campaign: { ...settings.campaign, spend_cap_usd: null } },
    leads,
    { most: seeds.length, signal },
  )
  try {
    const results = await Promise.all(seeds.map((seed) => threads.run({ lines: leads.length, seed, until: now })))
    const actual = calls.filter(({ lead }) => cohort.has(lead))
    return { back_test: compareDays(actual, results, settings.time_zone), back_test_missing: null }
  } finally {
    await threads.close()
  }
}

const tooLittle = (calls: number, leads: number): BackTest => ({
  back_test: null,
  back_test_missing:
    `Too little history for a back-test: it needs ${callsBefore} calls before the last days and ${leadsTested} leads ` +
    `first called in them. There are ${calls} and ${leads}.`,
})

function compareDays(calls: readonly TestedCall[], results: readonly WorldResult[], zone: string): BackTestDay[] {
  const actual = new Map<string, [calls: number, answered: number]>()
  for (const { started, answer } of calls) count(actual, dayOf(zone, started), 1, answer === 'answered' ? 1 : 0)
  const simulated = results.map(({ hours }) => {
    const days = new Map<string, [number, number]>()
    for (const [hour, made, connected] of hours) count(days, dayOf(zone, hour * hourMs), made, connected)
    return days
  })
  const days = [...new Set([...actual.keys(), ...simulated.flatMap((one) => [...one.keys()])])].sort()
  return days.map((day) => {
    const [made, answered] = actual.get(day) ?? [0, 0]
    const meanOf = (at: 0 | 1) => Math.round(mean(simulated.map((one) => one.get(day)?.[at] ?? 0)))
    return { day, calls: made, simulated_calls: meanOf(0), answered, simulated_answered: meanOf(1) }
  })
}

function count(days: Map<string, [number, number]>, day: string, calls: number, answered: number): void {
  const before = days.get(day) ?? [0, 0]
  days.set(day, [before[0] + calls, before[1] + answered])
}
