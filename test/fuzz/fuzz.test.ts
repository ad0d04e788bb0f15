/**
 * Fuzzes the simulator's HTTP interface with spoiled requests made from the contract, and with bytes that are hardly
 * HTTP.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shorten, type Failure, type Shortened } from '../random/shorter.js'
import { fire, type Action } from './fire.js'
import { fewestRounds, firstSeed, lastRoundSeconds, replayOf, shortenMs, shotsPerRound } from './seeds.js'
import { shot, type Shot } from './shot.js'
import { Target } from './target.js'
import { wild } from './wild.js'

/** Requests on one connection. An incomplete one would swallow the next ones as its body, so all are complete. */
const pipelined = (shots: Shot[]): Action => ({
  shots: shots.map((one) => (one.sent === 'broken off' ? { ...one, sent: 'whole' } : one)),
})

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 20, arbitrary: shot.map((one) => ({ shots: [one] })) },
  { weight: 1, arbitrary: fc.array(shot, { minLength: 2, maxLength: 5 }).map(pipelined) },
  { weight: 2, arbitrary: wild.map((one) => ({ wild: one })) },
)

async function play(actions: readonly Action[]): Promise<Failure | null> {
  const target = await Target.open()
  let after = 0
  try {
    for (const [n, one] of actions.entries()) {
      after = n
      await fire(target, one)
    }
    expect(await target.isWell()).toBe(true)
    return null
  } catch (error) {
    return { error: error as Error, after }
  } finally {
    await target.close()
  }
}

/** Usually a single action causes the failure. */
async function shortened(all: readonly Action[], failed: Failure): Promise<Shortened<Action>> {
  const last = all.slice(failed.after, failed.after + 1)
  const alone = await play(last)
  if (alone) return { actions: last, failure: alone }
  const end = performance.now() + shortenMs
  return shorten(all, failed, play, () => performance.now() > end)
}

/** Lists each finding once, with its count. */
const inWords = (one: Action): string =>
  JSON.stringify(one).replaceAll(
    /(.{1,18}?)\1{20,}/gu,
    (all, part: string) => `${part}{${all.length / part.length} times}`,
  )

async function round(seed: number): Promise<void> {
  const actions = fc.array(action, { minLength: shotsPerRound, maxLength: shotsPerRound, size: 'max' })
  for (const all of fc.sample(actions, { seed, numRuns: 1, unbiased: true })) {
    const failed = await play(all)
    if (!failed) continue
    const { actions: shortest, failure } = await shortened(all, failed)
    const lines = shortest.map((one, n) => `${n + 1}. ${inWords(one)}`)
    failure.error.message += `\nReplay: ${replayOf(seed)}\n${lines.join('\n')}`
    throw failure.error
  }
}

it('answers whatever is sent as the contract says, and is well after it', { timeout: 0 }, async () => {
  const end = performance.now() + 1_000 * lastRoundSeconds
  for (let n = 0; n < fewestRounds || performance.now() < end; n++) await round(firstSeed + n)
})
