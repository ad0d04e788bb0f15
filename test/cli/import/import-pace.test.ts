/** How fast leads are imported and with how many requests, against models of a service and a clock that does not wait. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  importRows,
  QuickJournal,
  QuickMachine,
  QuickService,
  type Model,
} from '../../support/programs/import-course.js'
import { fixedWindow, limiters, slidingWindow, tokenBucket } from '../../support/servers/lead-limiters.js'

const minuteMs = 60_000

const serviceOf = (model: Model = {}) => new QuickService(new QuickMachine(), model)

const counts = (service: QuickService) => [...service.taken.values()]

/** The share of the allowance that was used from the tenth minute to the fourth before the end. */
async function shareUsed(service: QuickService, leads: number, rate?: number): Promise<number> {
  const minutes = 40
  const began = service.machine.now()
  await importRows(service, { rows: leads * minutes, rate })
  const [from, to] = [began + 10 * minuteMs, began + (minutes - 4) * minuteMs]
  const inside = service.batches.filter(({ at }) => at >= from && at < to)
  return inside.reduce((sum, { size }) => sum + size, 0) / (((to - from) / minuteMs) * leads)
}

describe('without a limit', () => {
  it('2,000 leads need 34 requests, and 2,000 numbers in batches of a hundred 20', async () => {
    const leads = serviceOf()
    await importRows(leads, { rows: 2000 })
    expect(leads.requests).toBe(34)
    const numbers = serviceOf()
    await importRows(numbers, { rows: 2000, most: 100, isLimited: false })
    expect(numbers.requests).toBe(20)
  })

  it('a file needs at most 1.1 times the least number of requests, rows that cannot be sent included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 2, max: 50 }), async (rows, every) => {
        const service = serviceOf()
        await importRows(service, { rows, isBad: (line) => line % every === 0 })
        expect(service.requests).toBeLessThanOrEqual(Math.ceil(service.taken.size / 60) * 1.1)
      }),
      { numRuns: 25 },
    )
  })
})

describe('the rate of the key', () => {
  it('is used to at least 95 in a hundred, whatever it is and however the service counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.tuple(fc.constantFrom(slidingWindow, fixedWindow), fc.integer({ min: 3, max: 1000 })),
          // A bucket that is smaller than a batch is full before the wait is over.
          fc.tuple(fc.constant(tokenBucket), fc.integer({ min: 60, max: 1000 })),
        ),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: minuteMs }),
        async ([limiter, leads], latency, offset) => {
          const service = serviceOf({ limiter: limiter(leads), latencyMs: () => latency })
          service.machine.wall += offset
          expect(await shareUsed(service, leads)).toBeGreaterThanOrEqual(0.95)
          expect(service.taken.size).toBe(leads * 40)
        },
      ),
      { numRuns: 20 },
    )
  }, 120_000)

  it('needs no refusal if --rate states it', async () => {
    for (const leads of [1, 7, 37, 59, 60, 61, 100, 119, 500]) {
      const service = serviceOf({ limiter: slidingWindow(leads), latencyMs: () => 50 })
      expect(await shareUsed(service, leads, leads)).toBeGreaterThanOrEqual(0.95)
      expect(service.refusals.leads).toBe(0)
    }
  })

  it('is found all the same if --rate states too much', async () => {
    for (const rate of [31, 60, 90, 200]) {
      const service = serviceOf({ limiter: slidingWindow(30) })
      await importRows(service, { rows: 600, rate })
      expect(service.taken.size).toBe(600)
      expect(service.refusals.leads).toBeLessThanOrEqual(12)
    }
  })

  it('of a usual key costs few requests more than the least', async () => {
    const service = serviceOf({ limiter: slidingWindow(60), latencyMs: () => 20 })
    const began = service.machine.now()
    await importRows(service, { rows: 2000 })
    expect(service.requests).toBeLessThanOrEqual(50)
    expect(service.machine.now() - began).toBeLessThanOrEqual(35 * minuteMs)
  })

  it('holds a first batch back for nothing', async () => {
    const service = serviceOf({ limiter: slidingWindow(60), requests: 120, burst: 20, latencyMs: () => 5 })
    const began = service.machine.now()
    await importRows(service, { rows: 60 })
    expect(service.machine.now() - began).toBeLessThan(100)
    expect(service.requests).toBe(1)
  })

  it('is learned from Retry-After, not from an assumed minute', async () => {
    // 60 leads in any ten seconds.
    const tenfold = slidingWindow(60)
    const service = serviceOf({ limiter: (now, count) => tenfold(now * 6, count) / 6 })
    const began = service.machine.now()
    await importRows(service, { rows: 3600 })
    expect(service.machine.now() - began).toBeLessThanOrEqual(60 * 10_000 * 1.1)
  })

  it('is kept to by waiting before a batch, so that few batches are refused', async () => {
    for (const limiter of Object.values(limiters)) {
      const service = serviceOf({ limiter: limiter(120), latencyMs: () => 20 })
      await importRows(service, { rows: 120 * 60 })
      expect(service.refusals.leads).toBeLessThanOrEqual(service.batches.length / 6)
    }
  })
})

describe('a batch that is refused', () => {
  it('is sent again as it is, under its key, after Retry-After', async () => {
    let left = 1
    const service = serviceOf({ limiter: () => (left-- > 0 ? 7_000 : 0) })
    const began = service.machine.now()
    await importRows(service, { rows: 60 })
    const [first, second] = service.sent
    expect(second).toEqual({ ...first, refused: false })
    expect(service.machine.now() - began).toBe(7_000)
  })

  it('is halved if it is refused after the wait too, and doubled after four that are accepted', async () => {
    let left = 3
    const service = serviceOf({ limiter: () => (left-- > 0 ? 1_000 : 0) })
    await importRows(service, { rows: 500 })
    expect(service.sent.map(({ items }) => items.length)).toEqual([
      60, 60, 30, 15, 15, 15, 15, 30, 30, 30, 30, 60, 60, 60, 60, 60, 20,
    ])
    expect(counts(service)).toEqual(Array(500).fill(1))
  })

  it('ends the import if its wait is longer than --max-wait', async () => {
    const service = serviceOf({ limiter: slidingWindow(60) })
    await expect(importRows(service, { rows: 100, maxWaitMs: 10_000 })).rejects.toMatchObject({
      refusal: { code: 'lead_rate_limited' },
    })
    const stated = serviceOf({ limiter: slidingWindow(60) })
    await expect(importRows(stated, { rows: 100, rate: 60, maxWaitMs: 10_000 })).rejects.toThrow('--max-wait')
  })

  it('waits for others who use the key, and grows again when they are gone', async () => {
    const limiter = slidingWindow(60)
    const service = serviceOf({ limiter })
    limiter(service.machine.now(), 50)
    service.machine.wall += 25_000
    await importRows(service, { rows: 1200 })
    expect(counts(service)).toEqual(Array(1200).fill(1))
    expect(service.sizes).toContain(60)
  })
})

describe('a queue that is full', () => {
  it('is waited for, and the rows that it had no room for are sent again', async () => {
    const machine = new QuickMachine()
    const began = machine.now()
    let taken = 0
    const room = () => 100 + Math.floor((machine.now() - began) / minuteMs) * 10 - taken
    const service: QuickService = new QuickService(machine, { room: () => room() })
    Object.defineProperty(service.batches, 'push', {
      value: (batch: { size: number }) => (taken += batch.size),
    })
    const journal = new QuickJournal()
    await importRows(service, { rows: 150, journal })
    expect(counts(service)).toEqual(Array(150).fill(1))
    // The same file again: every answer is given again, and nothing is waited for.
    const before = machine.now()
    const again = await importRows(service, { rows: 150, journal })
    expect(again.counts).toMatchObject({ added: 0, already_added: 150 })
    expect(machine.now()).toBe(before)
    expect(counts(service)).toEqual(Array(150).fill(1))
  })

  it('ends the import once --max-wait is over', async () => {
    const service = serviceOf({ room: () => 0 })
    const began = service.machine.now()
    const limited = importRows(service, { rows: 60, maxQueueWaitMs: 200_000 })
    await expect(limited).rejects.toMatchObject({ refusal: { code: 'queue_full' } })
    expect(service.machine.now() - began).toBe(180_000)
  })
})

describe('the requests of an import', () => {
  it('stay within what a key may ask a minute, bursts included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 400 }), fc.constantFrom(60, 120, 600), async (latency, requests) => {
        const service = serviceOf({ requests, burst: 20, latencyMs: () => latency })
        await importRows(service, { rows: 20_000 })
        expect(service.refusals.requests).toBe(0)
      }),
      { numRuns: 10 },
    )
  })
})

it('memory holds a batch and what is refused around it, however long the file', async () => {
  const service = serviceOf()
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
