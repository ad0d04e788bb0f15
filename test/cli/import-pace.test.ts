/** How fast leads are imported: as fast as a key's allowance lets them, by the quotas of the service and a clock that does not wait. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchSize } from '../../src/cli/import/plan.js'
import type { Progress } from '../../src/cli/import/journal.js'
import { importRows, QuickMachine, QuickService, type Allowance } from '../support/import-course.js'

const plenty = { requests: 1_000_000, burst: 1_000_000 }
const usual = { requests: 120, burst: 20 }
const minuteMs = 60_000

function serviceOf(allowance: Partial<Allowance>, latencyMs?: () => number) {
  const machine = new QuickMachine()
  return new QuickService(machine, { leads: 60, ...plenty, ...allowance }, latencyMs)
}

/**
 * Imports twelve minutes' worth of leads and says which part of the allowance was used, from the second minute on: the
 * mean of ten minutes that begin a second apart, so that it does not matter where in them a minute's leads go out.
 */
async function shareUsed(service: QuickService, rate?: number): Promise<number> {
  const { leads } = service.allowance
  const began = service.machine.now()
  await importRows(service, { rows: leads * 12, ...(rate !== undefined && { rate }) })
  const shares = Array.from({ length: 60 }, (_, second) => {
    const from = began + minuteMs + second * 1000
    const inside = service.batches.filter(({ at }) => at >= from && at < from + 10 * minuteMs)
    return inside.reduce((sum, { size }) => sum + size, 0) / (10 * leads)
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

describe('the allowance of new leads', () => {
  it('is found by one refusal and used to at least 98 in a hundred, whatever it is from sixty on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 60, max: 4000 }), fc.integer({ min: 0, max: 100 }), async (leads, latency) => {
        const service = serviceOf({ leads }, () => latency)
        expect(await shareUsed(service)).toBeGreaterThanOrEqual(0.98)
        expect(service.refusals).toEqual({ leads: 1, requests: 0 })
        expect(service.taken.size).toBe(leads * 12)
      }),
      { numRuns: 15 },
    )
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 45, 50])(
    'is found and used the same where it is %i',
    async (leads) => {
      const service = serviceOf({ leads }, () => 50)
      expect(await shareUsed(service)).toBeGreaterThanOrEqual(0.98)
      expect(service.refusals.leads).toBe(1)
    },
  )

  it('is used for the most part, and never exceeded twice, where it is an odd number below sixty', async () => {
    for (const leads of [11, 13, 19, 29, 37, 44, 59]) {
      const service = serviceOf({ leads })
      expect(await shareUsed(service)).toBeGreaterThanOrEqual(0.78)
      expect(service.refusals.leads).toBe(1)
    }
  })

  it('is never exceeded where it was said beforehand', async () => {
    for (const leads of [1, 7, 37, 59, 60, 61, 100, 119, 500]) {
      const service = serviceOf({ leads }, () => 50)
      expect(await shareUsed(service, leads)).toBeGreaterThanOrEqual(0.98)
      expect(service.refusals.leads).toBe(0)
    }
  })

  it('is found all the same where too much was said', async () => {
    for (const rate of [31, 60, 90, 200]) {
      const service = serviceOf({ leads: 30 })
      await importRows(service, { rows: 600, rate })
      expect(service.taken.size).toBe(600)
      expect(service.refusals.leads).toBeLessThanOrEqual(2)
    }
  })

  it('is not waited for by a file that it holds', async () => {
    const service = serviceOf({ ...usual }, () => 5)
    const began = service.machine.now()
    await importRows(service, { rows: 60 })
    expect(service.machine.now() - began).toBeLessThan(5000)
    expect(service.refusals).toEqual({ leads: 0, requests: 0 })
  })

  it('that others use too is waited for as long as the service says, and found once they are gone', async () => {
    const service = serviceOf({})
    service.useElsewhere(50)
    service.machine.wall += 25_000
    await importRows(service, { rows: 1200 })
    expect(service.taken.size).toBe(1200)
    expect(service.refusals.leads).toBeLessThanOrEqual(2)
    expect(service.sizes.slice(-5)).toEqual([60, 60, 60, 60, 60])
  })

  it('is found anew where nothing goes any more at the rate that was told', async () => {
    const service = serviceOf({ leads: 120 })
    const earlier = await importRows(service, { rows: 600 })
    const stricter = new QuickService(service.machine, { leads: 20, ...plenty })
    await importRows(stricter, { rows: 1000, resume: true, earlier: { ...earlier, finished: false } })
    expect(stricter.taken.size).toBe(400)
    expect(stricter.sizes.slice(-4)).toEqual([20, 20, 20, 20])
    expect(stricter.refusals.leads).toBe(3)
  })

  it('is found by a run that begins again at a service that has forgotten the one before', async () => {
    const service = serviceOf({})
    const earlier = await importRows(service, { rows: 600 })
    const another = new QuickService(service.machine, { leads: 30, ...plenty })
    await importRows(another, { rows: 600, earlier })
    expect(another.taken.size).toBe(600)
    expect(another.refusals.leads).toBeLessThanOrEqual(4)
  })
})

describe('the requests of an import', () => {
  it('stay within what a key may ask a minute, bursts included', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom(60, 120, 600),
        async (leads, latency, requests) => {
          const service = serviceOf({ leads, requests, burst: 20 }, () => latency)
          await importRows(service, { rows: Math.min(leads * 4, 4000) })
          expect(service.refusals.requests).toBe(0)
          expect(service.refusals.leads).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('are as few as carry a minute of leads, once it is known', async () => {
    for (const leads of [60, 90, 120, 600]) {
      const service = serviceOf({ leads })
      await importRows(service, { rows: leads * 10, rate: leads })
      expect(service.requests).toBe(Math.ceil(leads / 60) * 10)
    }
  })
})

it('a wait longer than was allowed ends it', async () => {
  const service = serviceOf({})
  await expect(importRows(service, { rows: 100, maxWaitMs: 10_000 })).rejects.toMatchObject({
    refusal: { code: 'lead_rate_limited' },
  })
  const again = serviceOf({})
  await expect(importRows(again, { rows: 100, rate: 60, maxWaitMs: 10_000 })).rejects.toThrow('--max-wait')
})

interface StoppedRun {
  resume: boolean
  rate: number | undefined
  stop: { after: number; isSent: boolean }
}

/** Five hundred rows up to where it stops, if it comes so far; gives what its journal then says. */
async function stoppedRun(service: QuickService, run: StoppedRun, earlier: Progress | undefined) {
  const { resume, rate, stop } = run
  const stopping = new AbortController()
  let left = stop.after
  let last: Progress | undefined
  const kept = (progress: Progress) => {
    last = progress
    if (--left <= 0) stopping.abort()
  }
  const post = service.post.bind(service)
  service.post = (items, key) => {
    if (!stop.isSent) stopping.signal.throwIfAborted()
    return post(items, key)
  }
  const course = { rows: 500, resume, kept, signal: stopping.signal, ...(rate !== undefined && { rate }) }
  try {
    await importRows(service, earlier ? { ...course, earlier } : course)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  } finally {
    service.post = post
  }
  return last
}

describe('an import that is stopped', () => {
  const rowsOf = (service: QuickService) => [...service.taken.values()]

  it('anywhere, and gone on with or begun again, at any other rate, sends every row once', async () => {
    const run = fc.record({
      resume: fc.boolean(),
      rate: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
      // The batch after which it stops, and whether that one still goes out; the answer to it nobody sees.
      stop: fc.record({ after: fc.integer({ min: 1, max: 40 }), isSent: fc.boolean() }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.array(run, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (leads, runs, resume) => {
          const service = serviceOf({ leads })
          let earlier: Progress | undefined
          for (const one of runs) earlier = (await stoppedRun(service, one, earlier)) ?? earlier
          await importRows(service, { rows: 500, resume, ...(earlier && { earlier }) })
          expect(service.taken.size).toBe(500)
          expect(rowsOf(service).every((times) => times === 1)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('goes on without a refusal, though nobody saw the answer to its last batch', async () => {
    const service = serviceOf({ leads: 60 })
    const stop = new AbortController()
    let earlier: Progress | undefined
    const kept = (progress: Progress) => {
      earlier = progress
    }
    const post = service.post.bind(service)
    service.post = (items, key) => {
      const delivered = post(items, key)
      if (service.taken.size >= 180) stop.abort()
      stop.signal.throwIfAborted()
      return delivered
    }
    await importRows(service, { rows: 300, kept, signal: stop.signal }).catch(() => undefined)
    expect(service.taken.size).toBe(180)
    service.post = post
    await importRows(service, { rows: 300, resume: true, ...(earlier && { earlier }) })
    expect(rowsOf(service)).toEqual(Array(300).fill(1))
    expect(service.refusals.leads).toBe(1)
  })
})

it('memory holds a batch and what is refused around it, however long the file', async () => {
  const service = serviceOf({ leads: 1_000_000 })
  let ahead = 0
  await importRows(service, {
    rows: 20_000,
    // Nine rows of ten cannot be sent.
    isBad: (line) => line % 10 !== 0,
    watched: (taken, answered) => (ahead = Math.max(ahead, taken - answered)),
  })
  expect(service.taken.size).toBe(2_000)
  expect(ahead).toBeGreaterThan(100)
  expect(ahead).toBeLessThanOrEqual(500)
})

it('a batch whose first answer was lost counts as sent, though the answer in the end is one given before', async () => {
  const service = serviceOf({})
  const post = service.post.bind(service)
  service.post = (items, key) => {
    post(items, key)
    return post(items, key)
  }
  await importRows(service, { rows: 400 })
  expect(service.taken.size).toBe(400)
  expect(service.refusals.leads).toBe(1)
})

it('what was learned before the end of patience is known to the next run', async () => {
  const service = serviceOf({})
  let earlier: Progress | undefined
  const kept = (progress: Progress) => {
    earlier = progress
  }
  await importRows(service, { rows: 200, maxWaitMs: 10_000, kept }).catch(() => undefined)
  await importRows(service, { rows: 200, resume: true, ...(earlier && { earlier }) })
  expect([...service.taken.values()]).toEqual(Array(200).fill(1))
  expect(service.refusals.leads).toBe(1)
})

it('the same file is cut the same way again', () => {
  const plan = [
    { from: 0, rate: null },
    { from: 100, rate: 100 },
  ]
  const cuts: number[] = []
  for (let sent = 0; sent < 400;) {
    const size = batchSize(plan, sent, 60)
    cuts.push(size)
    sent += size
  }
  expect(cuts.slice(-6)).toEqual([50, 50, 50, 50, 50, 50])
  expect(cuts.reduce((sum, size) => sum + size, 0)).toBe(400)
})
