import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { instant, later } from '../../../simulator/kernel/instant.js'
import { began, Stage, type Act, type Play } from '../../support/played-engine.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const hour = 3_600_000

interface Made {
  key: string
  inMs: number
  act: number
}

/** Each act makes appointments only for acts with higher numbers, so that every play ends. */
const last = 19
const plays: fc.Arbitrary<Play> = fc
  .tuple(...Array.from({ length: last }, (_, number) => fc.array(madeFor(number + 1), { maxLength: 3 })))
  .map((all) =>
    Object.fromEntries(all.map((then, number): [number, Act] => [number, { then, effect: number % 7 === 0 }])),
  )
const beginnings = fc.array(madeFor(0), { minLength: 1, maxLength: 12 })

/** Few keys, so that some replace each other; few moments, so that many fall together; some in the past. */
function madeFor(lowest: number): fc.Arbitrary<Made> {
  return fc.record({
    key: fc.constantFrom(...'abcdefghij'),
    inMs: fc.constantFrom(-60_000, 0, 0, 1, 60_000, 60_000, 90_000, 600_000, 3_599_999, 3_600_000),
    act: fc.integer({ min: lowest, max: last }),
  })
}

/** What must happen, worked out with nothing but a list. */
function expectedLog(play: Play, begin: readonly Made[], untilMs: number): [number, number][] {
  let agenda: { key: string; at: number; act: number }[] = []
  let now = 0
  const put = ({ key, inMs, act }: Made) => {
    agenda = [...agenda.filter((one) => one.key !== key), { key, at: now + inMs, act }].sort((a, b) => a.at - b.at)
  }
  begin.forEach(put)
  const log: [number, number][] = []
  for (let next = agenda[0]; next && next.at <= untilMs; next = agenda[0]) {
    agenda = agenda.slice(1)
    now = Math.max(now, next.at)
    log.push([now, next.act])
    play[next.act]?.then?.forEach(put)
  }
  return log
}

function staged(play: Play, begin: readonly Made[], path?: string): Stage {
  const stage = new Stage({ play, ...(path !== undefined && { path }) })
  if (begin.length > 0) stage.appoint(...begin.map(({ key, inMs, act }) => ({ key, atMs: inMs, act })))
  return stage
}

const ran = (stage: Stage) => stage.log.filter(([, what]) => what === 'ran').map(([at, , act]) => [at, act])

describe('pushed time', () => {
  it('runs everything due on the way, by time and then insertion, at its own time and never later', async () => {
    await fc.assert(
      fc.asyncProperty(plays, beginnings, async (play, begin) => {
        const stage = staged(play, begin)
        await stage.advanceTo(hour)
        expect(ran(stage)).toEqual(expectedLog(play, begin, hour))
        expect(stage.nowMs).toBe(hour)
        expect(stage.failures).toEqual([])
        await stage.close()
      }),
    )
  })

  it('comes to the same in one push and in many', async () => {
    const steps = fc.oneof(
      fc.constant(Array.from({ length: 60 }, () => 60_000)),
      fc.array(fc.nat(600_000), { maxLength: 20 }),
    )
    await fc.assert(
      fc.asyncProperty(plays, beginnings, steps, async (play, begin, lengths) => {
        const [one, many] = [staged(play, begin), staged(play, begin)]
        await one.advanceTo(hour)
        let at = 0
        for (const length of lengths) await many.advanceTo((at = Math.min(hour, at + length)))
        await many.advanceTo(hour)
        expect(many.log).toEqual(one.log)
        await one.close()
        await many.close()
      }),
      { numRuns: 50 },
    )
  })

  it('comes to the same when the program ends on the way, or is killed, and starts again on the file', async () => {
    const stops = fc.array(fc.record({ atMs: fc.nat(hour), killed: fc.boolean() }), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(plays, beginnings, stops, async (play, begin, all) => {
        const whole = staged(play, begin)
        await whole.advanceTo(hour)
        const path = temporaryFile()
        let stage = staged(play, begin, path)
        for (const { atMs, killed } of all.sort((a, b) => a.atMs - b.atMs)) {
          await stage.advanceTo(atMs)
          if (killed) stage.abandon()
          else await stage.close()
          stage = staged(play, [], path)
          expect(stage.nowMs).toBe(atMs)
        }
        await stage.advanceTo(hour)
        expect(stage.log).toEqual(whole.log)
        await stage.close()
        await whole.close()
      }),
      { numRuns: 12 },
    )
  })

  it('runs an appointment made on the way before a later one', async () => {
    const stage = staged({ 1: { then: [{ key: 'nested', inMs: 5, act: 3 }] } }, [])
    stage.appoint({ atMs: 10, act: 1 }, { atMs: 20, act: 2 })
    await stage.advanceTo(20)
    expect(stage.log).toEqual([
      [10, 'ran', 1],
      [15, 'ran', 3],
      [20, 'ran', 2],
    ])
  })

  it('commits at least once for each simulated day, so that observers see events before old ones are deleted', async () => {
    const stage = staged({}, [])
    stage.appoint(...[1, 2, 30, 31].map((hours) => ({ atMs: hours * hour, act: hours })))
    const seen: number[][] = []
    stage.engine.subscribe(() => seen.push(stage.ran))
    stage.play = Object.fromEntries([1, 2, 30, 31].map((act) => [act, { notice: true }]))
    await stage.advanceTo(40 * hour)
    expect(seen).toEqual([...[1, 2].map(() => [1, 2]), ...[30, 31].map(() => [1, 2, 30, 31])])
  })

  it('stops at the moment it is pushed to, with what is due at that moment done and nothing later', async () => {
    const stage = staged({}, [])
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 1_001, act: 2 })
    await stage.advanceTo(1_000)
    expect([stage.ran, stage.nowMs]).toEqual([[1], 1_000])
  })

  it('does not go back when it is pushed to the past', async () => {
    const stage = staged({}, [])
    await stage.advanceTo(1_000)
    await stage.advanceTo(10)
    expect(stage.nowMs).toBe(1_000)
  })

  it('is pushed once after the other: two lengths asked for together add up', async () => {
    const stage = staged({}, [])
    const minuteOn = () => stage.engine.advance((now) => instant(now + 60_000))
    await Promise.all([minuteOn(), minuteOn(), minuteOn()])
    expect(stage.nowMs).toBe(180_000)
  })

  it('is not held up by a push that was refused', async () => {
    const stage = staged({}, [])
    const refused = stage.engine.advance(() => {
      throw new ApiError('invalid_request', 'not there')
    })
    const good = stage.advanceTo(5)
    await expect(refused).rejects.toThrow('not there')
    await good
    expect(stage.nowMs).toBe(5)
  })

  it('lets requests have their turn, at the moment it has come to', async () => {
    const stage = staged({}, [])
    stage.appoint(...Array.from({ length: 60 }, (_, act) => ({ atMs: (act + 1) * 1_000, act })))
    // Every look at the machine takes so long that one task fills a slice.
    stage.machine.monotonic = () => (stage.machine.wall += 10)
    const advancing = stage.advanceTo(60_000)
    const seen: number[] = []
    let done = false
    void advancing.then(() => (done = true))
    while (!done) {
      await stage.machine.turn()
      seen.push(stage.engine.step(() => stage.world.now) - began)
    }
    expect(new Set(seen).size).toBeGreaterThan(30)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(stage.ran).toEqual(Array.from({ length: 60 }, (_, act) => act))
  })

  it('does what a request makes due on the way before it passes on', async () => {
    const stage = staged({}, [])
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 2_000, act: 2 })
    stage.machine.monotonic = () => (stage.machine.wall += 10)
    const advancing = stage.advanceTo(60_000)
    while (stage.ran.length === 0) await stage.machine.turn()
    stage.engine.step(() =>
      stage.world.agenda.put('asked', later(stage.world.now, began), { kind: 'lead.due', lead: 9, tenant: 0 }),
    )
    await advancing
    expect(stage.log).toEqual([
      [1_000, 'ran', 1],
      [1_000, 'ran', 9],
      [2_000, 'ran', 2],
    ])
  })
})
