import { describe, expect, test } from 'vitest'
import { runConformance } from '../../src/conform/run.js'
import type { ConformanceOptions } from '../../src/conform/run.js'
import type { SystemClock } from '../../src/client/system-clock.js'
import { simulateAlone, type Simulation } from '../support/simulate.js'

const at = ({ baseUrl, test: client }: Simulation): ConformanceOptions => ({
  baseUrl,
  key: { id: client.key.key_id, secret: client.key.secret },
})

describe('conformance suite', () => {
  test('nothing departs on the simulator', async () => {
    const simulation = await simulateAlone({ allowLocalWebhooks: true, paused: false })
    const { checks, left_behind } = await runConformance(at(simulation))
    expect(checks.filter(({ result }) => result === 'departs')).toEqual([])
    expect(left_behind.not_removed).toEqual([])
    expect(left_behind.leads).toBe(2)
  })
})

/** A clock on which waits take no time. */
class PassingClock implements SystemClock {
  #passed = 0

  /** Seconds that were waited for. */
  get waitedSeconds(): number {
    return this.#passed / 1000
  }

  now(): number {
    return Date.now() + this.#passed
  }

  random(): number {
    return 0.5
  }

  async sleep(ms: number): Promise<void> {
    this.#passed += ms
    await Promise.resolve()
  }
}

describe('conformance suite: request rate', () => {
  test('a run at 120 requests a minute takes at most 3 minutes', async () => {
    const simulation = await simulateAlone({ allowLocalWebhooks: true, paused: false })
    const clock = new PassingClock()
    const { requests, left_out, checks } = await runConformance({ ...at(simulation), requestsPerMinute: 120, clock })
    expect(checks.filter(({ result }) => result === 'departs')).toEqual([])
    expect(requests).toBeLessThanOrEqual(350)
    expect(clock.waitedSeconds).toBeLessThanOrEqual(180)
    expect(left_out).toBeGreaterThan(50)
  })

  test('no minute has more requests than were allowed', async () => {
    const simulation = await simulateAlone({ allowLocalWebhooks: true, paused: false })
    const sent: number[] = []
    const clock = new PassingClock()
    const onExchange: ConformanceOptions['onExchange'] = (_check, { sentAt }) => sent.push(sentAt)
    await runConformance({ ...at(simulation), groups: ['parsing', 'gate'], requestsPerMinute: 30, clock, onExchange })
    const most = Math.max(...sent.map((from) => sent.filter((time) => time >= from && time < from + 60_000).length))
    expect(most).toBeLessThanOrEqual(30)
  })
})
