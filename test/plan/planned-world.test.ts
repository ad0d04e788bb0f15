/** Planned worlds: whole simulations in memory, whose calls follow from the seed, the number and the attempt only. */
import { availableParallelism } from 'node:os'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeUpLeads, usualAreas } from '../../src/cli/plan/made-up-leads.js'
import { WorldThreads } from '../../src/cli/plan/world-threads.js'
import { parsePhone } from '../../src/phone/number.js'
import { usualMix } from '../../src/plan/call-mix.js'
import type { PlannedLead, PlanSettings, WorldRun } from '../../src/plan/planned-world.js'
import { loadPlannedWorld, runPlannedWorld } from '../../simulator/plan/planned-world.js'

const start = Date.parse('2026-11-23T14:00:00Z')
const days = (count: number) => count * 86_400_000
const office = [['09:00', '18:00']] as const

function settingsOf(campaign: Partial<PlanSettings['campaign']> = {}, more: Partial<PlanSettings> = {}): PlanSettings {
  return {
    start,
    time_zone: 'America/New_York',
    rate_usd_per_minute: 0.12,
    listed: [],
    mix: usualMix,
    campaign: {
      calling_hours: { mon: office, tue: office, wed: office, thu: office, fri: office },
      any_hour: false,
      max_attempts: 3,
      retire_after_failures: 3,
      spend_cap_usd: null,
      spent_usd: 0,
      ...campaign,
    },
    ...more,
  }
}

/** Runs of one world. */
async function runs(settings: PlanSettings, leads: readonly PlannedLead[], ...wanted: Partial<WorldRun>[]) {
  const { image, loaded } = loadPlannedWorld(settings, leads)
  const results = []
  for (const one of wanted)
    results.push(await runPlannedWorld(image, settings, leads, { lines: 5, seed: 1, until: start + days(60), ...one }))
  return { loaded, results }
}

const leads = (count: number) => makeUpLeads(count, usualAreas)

describe('a planned world', () => {
  it('finishes every lead, and finishes sooner with more lines', async () => {
    const { loaded, results } = await runs(settingsOf(), leads(200), { lines: 1 }, { lines: 20 })
    expect(loaded).toEqual({ callable: 200, unreachable: [] })
    const [slow, fast] = results
    expect([slow!.unfinished, fast!.unfinished]).toEqual([0, 0])
    expect(slow!.allBusyMs).toBeGreaterThan(fast!.allBusyMs)
    expect(fast!.finished!).toBeLessThanOrEqual(slow!.finished!)
  })

  it('makes the same calls with any number of lines: draws belong to a lead and an attempt', async () => {
    const counted = { lines: fc.integer({ min: 1, max: 60 }), seed: fc.integer({ min: 0, max: 1_000 }) }
    const property = fc.asyncProperty(fc.record(counted), fc.integer({ min: 1, max: 60 }), async (run, others) => {
      const { results } = await runs(settingsOf(), leads(60), run, { ...run, lines: others }, run)
      const [one, other, again] = results
      for (const count of ['calls', 'connected', 'minutes', 'reached', 'interested', 'lineMs'] as const)
        expect(other![count]).toBe(one![count])
      expect(again).toEqual(one)
    })
    await fc.assert(property, { numRuns: 6 })
  })

  it('gives a lead the same calls when other leads are added or left out', async () => {
    const [first] = leads(1)
    const alone = await runs(settingsOf(), [first!], {})
    const among = await runs(settingsOf(), leads(30), {})
    const without = await runs(settingsOf(), leads(30).slice(1), {})
    const [a, b, c] = [alone, among, without].map(({ results }) => results[0]!.lineMs)
    expect(b! - c!).toBe(a)
  })

  it('has other calls with another seed', async () => {
    const { results } = await runs(settingsOf(), leads(100), { seed: 1 }, { seed: 2 })
    expect(results[0]!.lineMs).not.toBe(results[1]!.lineMs)
  })

  it('refuses what the service refuses, and leaves out leads whose hours never open', async () => {
    const given = [
      '2122011000',
      '(212) 201-1000',
      'nonsense',
      '9005551234',
      '+18765551234',
      '+442071838750',
      '4152011000',
    ]
    const all = given.map((phone) => ({ phone }))
    const { loaded } = await runs(settingsOf({}, { listed: ['+14152011000'] }), [...all, { phone: '8082011000' }])
    expect(loaded.callable).toBe(2)
    expect(loaded.unreachable).toEqual([
      { at: 1, reason: 'duplicate_lead' },
      { at: 2, reason: 'invalid_phone' },
      { at: 3, reason: 'premium' },
      { at: 4, reason: 'international' },
      { at: 5, reason: 'international' },
      { at: 6, reason: 'on_dnc_list' },
    ])
    const night = settingsOf({ calling_hours: { mon: [['05:00', '07:00']] } })
    const never = await runs(night, [{ phone: '2122011000' }], {})
    expect(never.loaded).toEqual({ callable: 0, unreachable: [{ at: 0, reason: 'no_common_hour' }] })
    expect(never.results[0]).toMatchObject({ unfinished: 0, calls: 0 })
  })

  it('ends at the end of its run, and says how many leads are left', async () => {
    const { results } = await runs(settingsOf(), leads(300), { lines: 1, until: start + 3_600_000 })
    expect(results[0]).toMatchObject({ finished: null, held: null })
    expect(results[0]!.unfinished).toBeGreaterThan(200)
  })

  it('counts the leads that are not done at a deadline', async () => {
    const deadline = start + 3_600_000
    const [given, whole] = [
      { deadline, lines: 1 },
      { lines: 1, deadline: start + days(50) },
    ]
    const { results } = await runs(settingsOf(), leads(300), given, { ...given, until: deadline }, whole)
    expect(results[0]!.unfinished).toBe(0)
    expect(results[0]!.late).toBe(results[1]!.unfinished)
    expect(results[2]!.late).toBe(0)
  })

  it('is held when the spend cap is reached', async () => {
    const { results } = await runs(settingsOf({ spend_cap_usd: 2 }), leads(200), {})
    expect(results[0]).toMatchObject({ finished: null, held: 'spend_cap_reached' })
    const relaxed = await runs(settingsOf({ spend_cap_usd: 2 }), leads(200), { changes: { spend_cap_usd: null } })
    expect(relaxed.results[0]!.finished).not.toBeNull()
  })

  it('follows changed hours and attempts', async () => {
    const changes = { calling_hours: { mon: [['08:00', '21:00']] } as const, max_attempts: 1 }
    const { results } = await runs(settingsOf(), leads(100), { changes }, {})
    expect(results[0]!.calls).toBeLessThan(results[1]!.calls)
    expect(new Set(results[0]!.hours.map(([hour]) => new Date(hour * 3_600_000 - 18_000_000).getUTCDay()))).toEqual(
      new Set([1]),
    )
  })

  it('calls leads when they arrive', async () => {
    const later = leads(20).map((lead, at) => ({ ...lead, at: start + days(1) + at * 60_000 }))
    const { loaded, results } = await runs(settingsOf(), later, { lines: 20 })
    expect(loaded).toEqual({ callable: 0, unreachable: [] })
    expect(results[0]!.unfinished).toBe(0)
    expect(results[0]!.hours[0]![0]).toBeGreaterThanOrEqual((start + days(1)) / 3_600_000)
  })
})

describe('made-up leads', () => {
  it('are numbers that can be called, each once, spread by the weights from the beginning', () => {
    const many = makeUpLeads(20_000, [
      { area: '212', weight: 30 },
      { area: '415', weight: 20 },
      { area: '808', weight: 5 },
    ])
    const numbers = many.map(({ phone }) => phone)
    expect(new Set(numbers).size).toBe(20_000)
    expect(numbers.filter((phone) => parsePhone(phone).kind !== 'ordinary')).toEqual([])
    const share = (part: string[], area: string) => part.filter((phone) => phone.startsWith(`+1${area}`)).length
    expect([share(numbers, '212'), share(numbers, '808')]).toEqual([10_909, 1_818])
    expect(share(numbers.slice(0, 55), '212')).toBe(30)
  })
})

describe('worlds in threads', () => {
  it.each([
    [20, 1],
    [120, 2],
  ])('give what a world itself gives: %i leads, %i thread(s)', async (count, started) => {
    const settings = settingsOf()
    const { threads, loaded } = await WorldThreads.open(settings, leads(count), { most: 2 })
    try {
      expect(threads.count).toBe(Math.min(started, availableParallelism()))
      expect(loaded.callable).toBe(count)
      const run = { lines: 3, until: start + days(60) }
      const results = await Promise.all([1, 2, 3].map((seed) => threads.run({ ...run, seed })))
      const { results: here } = await runs(settings, leads(count), { ...run, seed: 2 })
      expect(results[1]).toEqual(here[0])
    } finally {
      await threads.close()
    }
  })

  it.each([50, 500])('fail with a plain error when they are closed or crash: %i leads', async (count) => {
    const { threads } = await WorldThreads.open(settingsOf(), leads(count), { most: 1 })
    const pending = threads.run({ lines: 1, seed: 1, until: start + days(60) })
    const waiting = threads.run({ lines: 2, seed: 1, until: start + days(60) })
    const failures = Promise.all([pending, waiting].map((run) => run.catch((error: unknown) => String(error))))
    await threads.close()
    expect(await failures).toEqual(Array(2).fill('ThreadError: The plan was stopped.'))
    await expect(threads.run({ lines: 1, seed: 1, until: start })).rejects.toThrow('The plan was stopped.')
    const broken = { ...settingsOf(), time_zone: null as unknown as string }
    await expect(WorldThreads.open(broken, leads(count), { most: 1 })).rejects.toThrow(/^A thread of the plan failed: /)
  })
})
