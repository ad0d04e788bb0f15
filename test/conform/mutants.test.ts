import { describe, expect, it } from 'vitest'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.js'
import { groups, type Group } from '../../src/conform/groups.js'
import { runConformance } from '../../src/conform/run.js'
import type { CheckResult } from '../../src/conform/report/result.js'
import { PlainService } from '../support/servers/plain-service.js'
import { mutants } from './mutants/all.js'
import type { Mutant } from './mutants/mutant.js'
import { MutatingProxy } from './mutants/mutating-proxy.js'

const secret = 'cs_test_conformance'
const key = { id: 'ck_test_conformance', secret }

/** Limits that no run meets. Replies have the RateLimit headers all the same. */
const highLimits = {
  requests_per_minute: 1_000_000,
  burst: 100_000,
  leads_per_minute: 100_000,
  concurrent_requests: 50,
}

const worldWith = (limits: Record<string, number>): NonNullable<SimulatorOptions['world']> => ({
  organizations: [
    {
      name: 'Acme',
      requests_per_minute: 1_000_000,
      campaigns: [
        { name: 'Autumn', consent_required: false },
        { name: 'With consent', consent_required: true },
        { name: 'Soon', status: 'not_started', consent_required: false },
        { name: 'Over', status: 'completed' },
      ],
      keys: [{ mode: 'test', key_id: key.id, secret, limits }],
    },
  ],
})

/** A fresh simulator whose minute takes a second, so that a retry comes while a run lasts. */
function start(
  { limits, speed = 60, ...options }: SimulatorOptions & { limits: boolean },
  of = {},
): Promise<Simulator> {
  return startSimulator({
    ...{ port: 0, data: ':memory:', now: '2026-10-01T15:00:00Z', allowLocalWebhooks: true },
    ...{ limits, speed, world: worldWith(of), ...options },
  })
}

async function departuresAt(baseUrl: string, only: readonly Group[], slow = false): Promise<CheckResult[]> {
  const { checks } = await runConformance({ baseUrl, key, groups: only, slow, requestsPerMinute: null })
  return checks.filter(({ result }) => result === 'departs')
}

/** The rules that the suite names for a mutant. */
async function rulesFor({ make, groups: concerned, isLimited, isSlow, limits = {} }: Mutant): Promise<string[]> {
  const simulator = await start({ limits: true }, isLimited ? limits : highLimits)
  const proxy = await MutatingProxy.start(simulator.url, `Bearer ${secret}`, make())
  try {
    const departures = await departuresAt(proxy.baseUrl, concerned, isSlow)
    return [...new Set(departures.map(({ rule }) => rule))]
  } finally {
    await proxy.close()
    await simulator.close()
  }
}

/** Several mutants wait for webhooks or limits at the same time. */
const atOnce = 4

async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/** `MUTANT='a retry' npx vitest run test/conform/mutants.test.ts` runs those whose name contains the text. */
const only = process.env['MUTANT']

describe('the conformance suite', () => {
  it('finds the mutants of the simulator, and names the rule of each', async () => {
    // Those that wait for real limits begin first.
    const chosen = [...mutants]
      .filter(({ name }) => only === undefined || name.includes(only))
      .sort((a, b) => Number(b.isLimited ?? false) - Number(a.isLimited ?? false))
    const found = await each(chosen, rulesFor)
    const lines = chosen.map(({ name, rule }, at) => {
      const rules = found[at] ?? []
      return `${rules.includes(rule) ? 'found ' : 'MISSED'}  ${rule.padEnd(4)} ${name}  (${rules.join(', ') || 'no departure'})`
    })
    process.stdout.write(`${lines.join('\n')}\n`)
    expect(lines.filter((line) => line.startsWith('MISSED'))).toEqual([])
  }, 300_000)

  it('has a mutant for each of its groups', () => {
    const concerned = new Set(mutants.flatMap((mutant) => mutant.groups))
    expect(groups.filter((group) => !concerned.has(group))).toEqual([])
    expect(mutants.length).toBeGreaterThanOrEqual(40)
  })

  it('raises no alarm on the simulator, with limits that a run does not meet', async () => {
    const simulator = await start({ limits: true }, highLimits)
    const others = groups.filter((group) => group !== 'limits')
    expect(await departuresAt(simulator.baseUrl, others)).toEqual([])
    await simulator.close()
  })

  it('raises no alarm on the simulator with its usual limits', async () => {
    const simulator = await start({ limits: true })
    expect(await departuresAt(simulator.baseUrl, ['limits'])).toEqual([])
    await simulator.close()
  })

  it('raises no alarm on the API behind a plain proxy, without limits', async () => {
    const simulator = await start({ limits: false })
    const plain = await PlainService.before(simulator.url)
    expect(await departuresAt(plain.baseUrl, groups)).toEqual([])
    await simulator.close()
  })
})
