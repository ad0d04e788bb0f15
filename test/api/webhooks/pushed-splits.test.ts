/** Advances with random receivers: the events, deliveries and attempts do not depend on how an advance is split. */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Store } from '../../../simulator/storage/store.js'
import { closing } from '../../support/dispatch.js'
import { ManualMachine } from '../../support/manual-machine.js'
import { Receiver, type Received } from '../../support/deliveries/receiver.js'
import { simulate, type Simulation } from '../../support/simulate.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { sql } from '../../../simulator/storage/sql.js'
import { tables } from '../../../simulator/storage/tables.js'

const kinds = ['healthy', 'failing', 'mixed', 'hanging'] as const
type Kind = (typeof kinds)[number]

const answerTimeoutMs = 10_000
const minutes = 60

/** What a receiver of that kind does with an attempt, which depends on nothing but the attempt. */
function reactionTo(kind: Kind, { headers }: Received): 'accept' | 'refuse' | 'hang' {
  const number = Number(headers['service-delivery-attempt'])
  const digit = Buffer.from(String(headers['service-delivery-id'])).reduce((sum, byte) => sum + byte, number) % 4
  if (kind === 'healthy') return 'accept'
  if (kind === 'failing') return 'refuse'
  if (kind === 'mixed') return digit < 2 ? 'accept' : 'refuse'
  return digit === 0 ? 'refuse' : 'hang'
}

const receiverOf = (kind: Kind) =>
  Receiver.start((request) => {
    const reaction = reactionTo(kind, request)
    if (reaction === 'hang') return new Promise(() => undefined)
    return { status: reaction === 'accept' ? 200 : 500 }
  })

/** Advances time. The system clock moves only while every running attempt hangs. */
async function push(sim: Simulation, machine: ManualMachine, receivers: readonly Receiver[], by: string) {
  let done = false
  const pushed = sim.advance(by).finally(() => (done = true))
  const hanging = () => receivers.reduce((sum, { unanswered }) => sum + unanswered, 0)
  while (!done) {
    await machine.turn()
    if (!done && hanging() > 0 && hanging() === machine.timersOf(answerTimeoutMs)) machine.passToNext()
  }
  await pushed
}

interface Attempt {
  endpoint: number
  at: number
}

interface Recorded {
  events: unknown[]
  deliveries: unknown[]
  attempts: Attempt[]
  mostAtOnce: number
}

/** The content of the file after an hour that was advanced in these parts. */
async function recordedAfter(plan: readonly Kind[], leads: number, parts: readonly number[]): Promise<Recorded> {
  const data = join(temporaryFolder(), 'world.db')
  const machine = new ManualMachine()
  const receivers = await Promise.all(plan.map(async (kind) => closing(await receiverOf(kind))))
  const sim = await simulate({ machine, data, allowLocalWebhooks: true })
  // Before there are endpoints: attempts that start before an advance count toward the limit in system time.
  await sim.changeCampaign({ lines: 20 })
  for (let i = 0; i < leads; i++) await sim.lead()
  for (const { url } of receivers) {
    const events = ['call.started', 'call.completed']
    await sim.live.post('/webhook_endpoints', { url, events })
  }
  for (const part of parts) await push(sim, machine, receivers, `${part}m`)
  await sim.simulator.close()
  const store = Store.open(data)
  const recorded = {
    events: store.all(sql`SELECT * FROM ${tables.events} ORDER BY n`),
    deliveries: store
      .all<{ duration_ms: unknown }>(sql`SELECT * FROM ${tables.deliveries} ORDER BY n`)
      .map((row) => ({ ...row, duration_ms: null })),
    attempts: store.all<Attempt>(
      sql`SELECT d.endpoint, a.delivery, a.number, a.at, a.response_status, a.error
       FROM ${tables.attempts} a JOIN ${tables.deliveries} d ON d.n = a.delivery ORDER BY d.endpoint, a.rowid`,
    ),
    mostAtOnce: Math.max(...receivers.map((one, i) => (plan[i] === 'hanging' ? 0 : one.mostAtOnce))),
  }
  store.close()
  return recorded
}

/** Parts of an hour. */
const anySplit = fc
  .uniqueArray(fc.integer({ min: 1, max: minutes - 1 }), { maxLength: 8 })
  .map((cuts) => [...cuts.sort((a, b) => a - b), minutes].map((cut, i, all) => cut - (all[i - 1] ?? 0)))

it('an hour pushed at once, in sixty parts or in any parts gives the same events, deliveries and attempts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 14 }),
      anySplit,
      async (plan, leads, split) => {
        const atOnce = await recordedAfter(plan, leads, [minutes])
        expect(atOnce.attempts.length).toBeGreaterThan(0)
        for (const parts of [Array<number>(minutes).fill(1), split]) {
          const { mostAtOnce, ...recorded } = await recordedAfter(plan, leads, parts)
          expect(mostAtOnce).toBeLessThanOrEqual(5)
          expect({ ...recorded, mostAtOnce: atOnce.mostAtOnce }).toEqual(atOnce)
        }
        expect(atOnce.mostAtOnce).toBeLessThanOrEqual(5)
        for (const { endpoint, at } of atOnce.attempts) {
          const sameSecond = atOnce.attempts.filter(
            (one) => one.endpoint === endpoint && one.at >= at && one.at < at + 1_000,
          )
          expect(sameSecond.length).toBeLessThanOrEqual(10)
        }
      },
    ),
    { numRuns: 3 },
  )
})
