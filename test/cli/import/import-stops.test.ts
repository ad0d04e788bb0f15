/** Every row is added once, wherever an import stops and however it is run again, against models of a service. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  importRows,
  LostAnswer,
  QuickJournal,
  QuickMachine,
  QuickService,
} from '../../support/programs/import-course.js'
import { limiters, slidingWindow } from '../../support/servers/lead-limiters.js'

/** Where a run stops: the program dies before a request or after it, or the answer to it is lost. */
interface Stop {
  request: number
  how: 'killed before' | 'killed after' | 'answer lost'
}

const counts = (service: QuickService) => [...service.taken.values()]

/** Runs an import up to its stop, if it comes that far. */
async function stoppedRun(service: QuickService, course: Parameters<typeof importRows>[1], stop: Stop): Promise<void> {
  const post = service.post.bind(service)
  let left = stop.request
  service.post = (items, key) => {
    if (--left < 0 && stop.how === 'killed before') throw new LostAnswer()
    const delivered = post(items, key)
    if (left < 0) throw new LostAnswer()
    return delivered
  }
  try {
    await importRows(service, course)
  } catch (error) {
    if (!(error instanceof LostAnswer)) throw error
  } finally {
    service.post = post
  }
}

const runs = fc.array(
  fc.record({
    resume: fc.boolean(),
    rate: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
    stop: fc.record({
      request: fc.integer({ min: 0, max: 25 }),
      how: fc.constantFrom<Stop['how']>('killed before', 'killed after', 'answer lost'),
    }),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('an import that is stopped', () => {
  it('at any request, and resumed or begun again, at any other rate, adds every row once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(limiters)),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 2, max: 40 }),
        runs,
        fc.boolean(),
        async (limiter, allowance, every, stopped, resume) => {
          const service = new QuickService(new QuickMachine(), { limiter: limiter(allowance) })
          const journal = new QuickJournal()
          const rows = 500
          const isBad = (line: number) => line % every === 0
          for (const { stop, ...how } of stopped) await stoppedRun(service, { rows, isBad, journal, ...how }, stop)
          // The keys are kept for a day.
          const { progress } = journal
          if (progress) progress.at = service.machine.now()
          const { counts: result } = await importRows(service, { rows, isBad, journal, resume })
          const bad = Array.from({ length: rows }, (_, at) => at + 2).filter(isBad).length
          expect(counts(service)).toEqual(Array(rows - bad).fill(1))
          expect([result.added + result.already_added, result.refused]).toEqual([rows - bad, bad])
        },
      ),
      { numRuns: 100 },
    )
  }, 120_000)

  it('while the queue is full, adds every row once', async () => {
    await fc.assert(
      fc.asyncProperty(runs, fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1 }), async (stopped, rooms) => {
        let asked = 0
        const room = () => rooms[asked++] ?? Infinity
        const service = new QuickService(new QuickMachine(), { room })
        const journal = new QuickJournal()
        for (const { stop, ...how } of stopped) await stoppedRun(service, { rows: 300, journal, ...how }, stop)
        await importRows(service, { rows: 300, journal, resume: true })
        expect(counts(service)).toEqual(Array(300).fill(1))
      }),
      { numRuns: 50 },
    )
  })

  it('is resumed at the rate that it had learned', async () => {
    const service = new QuickService(new QuickMachine(), { limiter: slidingWindow(60) })
    const journal = new QuickJournal()
    await importRows(service, { rows: 200, maxWaitMs: 10_000, journal }).catch(() => undefined)
    await importRows(service, { rows: 120, journal, resume: true })
    expect(counts(service)).toEqual(Array(120).fill(1))
    expect(service.refusals.leads).toBe(1)
  })

  it('is cut the same way when it is begun again, and waits for nothing', async () => {
    const service = new QuickService(new QuickMachine(), { limiter: slidingWindow(37) })
    const journal = new QuickJournal()
    await importRows(service, { rows: 600, journal })
    const [requests, wall] = [service.requests, service.machine.wall]
    const again = await importRows(service, { rows: 600, journal })
    expect(again.counts.already_added).toBe(600)
    expect(service.machine.wall - wall).toBeLessThan(100)
    expect(service.requests - requests).toBe(service.batches.length)
  })

  it('finds the rate again if the service has forgotten the run before', async () => {
    const machine = new QuickMachine()
    const journal = new QuickJournal()
    await importRows(new QuickService(machine, { limiter: slidingWindow(60) }), { rows: 600, journal })
    const another = new QuickService(machine, { limiter: slidingWindow(30) })
    await importRows(another, { rows: 600, journal })
    expect(counts(another)).toEqual(Array(600).fill(1))
    expect(another.refusals.leads).toBeLessThanOrEqual(20)
  })

  it('counts a batch as sent if its first answer was lost and the second is a replay', async () => {
    const service = new QuickService(new QuickMachine(), { limiter: slidingWindow(60) })
    const post = service.post.bind(service)
    service.post = (items, key) => {
      post(items, key)
      return post(items, key)
    }
    await importRows(service, { rows: 400 })
    expect(counts(service)).toEqual(Array(400).fill(1))
    expect(service.refusals.leads).toBeLessThanOrEqual(7)
  })
})
