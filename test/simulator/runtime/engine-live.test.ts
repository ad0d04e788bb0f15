import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { began, Stage } from '../../support/played-engine.js'
import { ManualMachine } from '../../support/manual-machine.js'
import { temporaryFile } from '../../support/temporary-folder.js'

const minute = 60_000
const day = 24 * 60 * minute

describe('time that passes by itself', () => {
  it('runs what falls due when it falls due', () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 2_500, act: 2 })
    stage.machine.pass(999)
    expect(stage.ran).toEqual([])
    stage.machine.pass(1)
    expect(stage.ran).toEqual([1])
    stage.machine.pass(10_000)
    expect(stage.log).toEqual([
      [1_000, 'ran', 1],
      [2_500, 'ran', 2],
    ])
  })

  it('runs what falls due faster on a faster clock', () => {
    const stage = new Stage({ paused: false, speed: 60 })
    stage.appoint({ atMs: minute, act: 1 })
    stage.machine.pass(1_000)
    expect(stage.log).toEqual([[minute, 'ran', 1]])
  })

  it('lets a change of speed bring what waits nearer or further', () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 60 * minute, act: 1 }, { atMs: 180 * minute, act: 2 })
    stage.machine.pass(1_000)
    stage.engine.setClock({ speed: 3_600 })
    stage.machine.pass(1_000)
    expect(stage.ran).toEqual([1])
    stage.engine.setClock({ speed: 0.5 })
    stage.machine.pass(119 * minute)
    expect(stage.ran).toEqual([1])
    stage.machine.pass(150 * minute)
    expect(stage.log).toEqual([
      [60 * minute, 'ran', 1],
      [180 * minute, 'ran', 2],
    ])
  })

  it('stands still while it is paused, but what is due at that moment happens, with no push', () => {
    const stage = new Stage({
      play: {
        1: {
          then: [
            { key: 'now', inMs: 0, act: 2 },
            { key: 'later', inMs: 1, act: 3 },
          ],
        },
      },
    })
    stage.appoint({ atMs: 0, act: 1 })
    stage.machine.pass(day)
    expect([stage.log, stage.nowMs]).toEqual([
      [
        [0, 'ran', 1],
        [0, 'ran', 2],
      ],
      0,
    ])
    expect(stage.machine.timers).toBe(0)
  })

  it('goes on where it stood when the pause ends, and stops where the next one begins', () => {
    const stage = new Stage()
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 2_000, act: 2 })
    stage.machine.pass(day)
    stage.engine.setClock({ paused: false })
    stage.machine.pass(1_500)
    stage.engine.setClock({ paused: true })
    stage.machine.pass(day)
    expect([stage.ran, stage.nowMs]).toEqual([[1], 1_500])
  })

  it('does before a request what was due before it', () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 1_000, act: 1 })
    stage.machine.wall += 5_000
    expect(stage.engine.read(() => [stage.ran, stage.world.now - began])).toEqual([[1], 5_000])
  })

  it('is on time for what is further away than a timer can be told', () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 100 * day, act: 1 })
    stage.machine.pass(100 * day - 1)
    expect(stage.ran).toEqual([])
    stage.machine.pass(1)
    expect(stage.log).toEqual([[100 * day, 'ran', 1]])
  })

  it('is back in step within a minute when the machine was asleep or its clock was set forward', () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 8 * 60 * minute, act: 1 })
    stage.machine.pass(1_000)
    stage.machine.wall += 9 * 60 * minute
    stage.machine.pass(minute)
    expect(stage.ran).toEqual([1])
  })

  it('does not wait again for what has run when the machine is set back', () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 3_000, act: 2 })
    stage.machine.pass(2_000)
    stage.engine.read(() => undefined)
    stage.machine.wall -= day
    stage.engine.read(() => undefined)
    stage.machine.pass(999)
    expect(stage.ran).toEqual([1])
    stage.machine.pass(1)
    expect(stage.log).toEqual([
      [1_000, 'ran', 1],
      [3_000, 'ran', 2],
    ])
  })

  it('keeps what comes after a push on time: it was pushed nearer', async () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 120 * minute, act: 1 })
    await stage.advanceTo(119.9 * minute)
    stage.machine.pass(0.1 * minute - 1)
    expect(stage.ran).toEqual([])
    stage.machine.pass(1)
    expect(stage.log).toEqual([[120 * minute, 'ran', 1]])
  })

  it('does not run by itself while it is pushed', async () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 2_000, act: 2 })
    const advancing = stage.advanceTo(1_500)
    stage.machine.pass(500)
    await advancing
    expect(stage.ran).toEqual([1])
    stage.machine.pass(500)
    expect(stage.ran).toEqual([1, 2])
  })

  it('runs nothing once it is stopped', async () => {
    const stage = new Stage({ paused: false })
    stage.appoint({ atMs: 1_000, act: 1 })
    await stage.engine.stop()
    stage.machine.pass(minute)
    expect([stage.engine.read(() => stage.ran), stage.machine.timers]).toEqual([[], 0])
  })

  it('gives a long row of due tasks to requests slice by slice', () => {
    const stage = new Stage({ paused: false })
    stage.appoint(...Array.from({ length: 100 }, (_, act) => ({ atMs: 1_000 + act, act })))
    stage.machine.wall += 5_000
    let looks = 0
    stage.machine.monotonic = () => looks++ * 3
    const first = stage.engine.read(() => stage.ran.length)
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(10)
    expect(stage.engine.step(() => stage.world.now) - began).toBeLessThan(1_100)
    for (let i = 0; i < 100; i++) stage.engine.read(() => undefined)
    expect(stage.log.map(([at, , act]) => at - 1_000 - act)).toEqual(Array.from({ length: 100 }, () => 0))
    expect(stage.nowMs).toBe(5_000)
  })
})

describe('what fell due while the program was down', () => {
  it('runs late, at once, and in due order', async () => {
    const due = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(due, async (moments) => {
        const machine = new ManualMachine()
        const path = temporaryFile()
        const before = new Stage({ path, machine, paused: false })
        before.appoint(...moments.map((atMs, act) => ({ atMs: atMs + 1_000, act })))
        await before.close()
        machine.pass(minute)
        const after = new Stage({ path, machine })
        machine.pass(1)
        const inOrder = moments.map((atMs, act) => ({ atMs, act })).sort((a, b) => a.atMs - b.atMs)
        expect(after.ran).toEqual(inOrder.map(({ act }) => act))
        expect(new Set(after.log.map(([at]) => at))).toEqual(new Set([minute]))
        await after.close()
      }),
      { numRuns: 20 },
    )
  })

  it('is nothing when the clock was paused', async () => {
    const machine = new ManualMachine()
    const path = temporaryFile()
    const before = new Stage({ path, machine })
    before.appoint({ atMs: 1_000, act: 1 })
    await before.close()
    machine.pass(minute)
    const after = new Stage({ path, machine, paused: false })
    machine.pass(minute)
    expect([after.ran, after.nowMs, after.clock.paused]).toEqual([[], 0, true])
  })
})
