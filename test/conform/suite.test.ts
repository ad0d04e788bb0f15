import { describe, expect, test } from 'vitest'
import { runConformance } from '../../src/conform/run.js'
import type { ConformanceOptions } from '../../src/conform/run.js'
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
