import { describe, expect, it } from 'vitest'
import { instant } from '../../../simulator/kernel/instant.js'
import { began, quiet, Receivers, Stage, type StageOptions } from '../../support/played-engine.js'

/** A stage whose effects come back when the test says so. */
function withReceivers(options: StageOptions = {}) {
  const receivers = new Receivers()
  const stage = new Stage({ perform: receivers.perform, ...options })
  receivers.settle = (act) => stage.note('settled', act)
  return { stage, receivers }
}

const sends = { effect: true }

describe('what a task asks of the outside, while time is pushed', () => {
  it('is answered before time passes on, and the answer is a step of its own at that moment', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends } })
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 2_000, act: 2 })
    const advancing = stage.advanceTo(60_000)
    await quiet()
    expect([stage.log, stage.nowMs]).toEqual([[[1_000, 'ran', 1]], 1_000])
    receivers.answer(1)
    await advancing
    expect(stage.log).toEqual([
      [1_000, 'ran', 1],
      [1_000, 'settled', 1],
      [2_000, 'ran', 2],
    ])
  })

  it('is settled in the order it was sent, whoever answers first, after the tasks of that moment', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends, 2: sends, 3: sends } })
    stage.appoint({ atMs: 5, act: 1 }, { atMs: 5, act: 2 }, { atMs: 5, act: 9 }, { atMs: 5, act: 3 })
    const advancing = stage.advanceTo(10)
    await quiet()
    expect(receivers.sent).toEqual([1, 2, 3])
    receivers.answer(3, 2)
    await quiet()
    expect(stage.log.length).toBe(4)
    receivers.answer(1)
    await advancing
    const what = stage.log.map(([, did, act]) => `${did} ${act}`)
    expect(what).toEqual(['ran 1', 'ran 2', 'ran 9', 'ran 3', 'settled 1', 'settled 2', 'settled 3'])
  })

  it('may bring new tasks, due at once or later on the way', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends } })
    receivers.settle = () => {
      for (const [act, inMs] of [
        [7, 0],
        [8, 10],
      ] as const) {
        stage.world.agenda.put(`act ${act}`, instant(stage.world.now + inMs), {
          kind: 'lead.due',
          lead: act,
          tenant: 0,
        })
      }
    }
    stage.appoint({ atMs: 5, act: 1 }, { atMs: 20, act: 2 })
    const advancing = stage.advanceTo(60)
    await quiet()
    receivers.answer(1)
    await advancing
    expect(stage.log).toEqual([
      [5, 'ran', 1],
      [5, 'ran', 7],
      [15, 'ran', 8],
      [20, 'ran', 2],
    ])
  })

  it('holds up neither requests nor what they make due at that moment until its answer', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends } })
    stage.appoint({ atMs: 5, act: 1 })
    const advancing = stage.advanceTo(60)
    await quiet()
    expect(stage.engine.step(() => stage.world.now) - began).toBe(5)
    receivers.answer(1)
    await advancing
    expect(stage.nowMs).toBe(60)
  })

  it('that was sent before the push is answered before time is pushed', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends } })
    stage.appoint({ atMs: 0, act: 1 })
    stage.machine.pass(1)
    const advancing = stage.advanceTo(60)
    await quiet()
    expect([receivers.sent, stage.nowMs]).toEqual([[1], 0])
    receivers.answer(1)
    await advancing
    expect(stage.log).toEqual([
      [0, 'ran', 1],
      [0, 'settled', 1],
    ])
  })

  it('ends with the program when nobody answers, and time has not jumped over what was due', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends } })
    stage.appoint({ atMs: 5, act: 1 }, { atMs: 20, act: 2 })
    const advancing = stage.advanceTo(60)
    const refused = expect(advancing).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'The simulator is closing. The clock was advanced to 2026-10-01T12:00:00.005Z only.',
    })
    await quiet()
    const stopped = stage.engine.stop()
    receivers.answer(1)
    await stopped
    await refused
    expect([stage.log, stage.nowMs]).toEqual([[[5, 'ran', 1]], 5])
    expect(stage.world.clockRecord()?.now).toBe(began + 5)
    await expect(stage.advanceTo(60)).rejects.toMatchObject({ code: 'service_unavailable' })
  })

  it('that fails is told of in its turn and stops nothing', async () => {
    const stage = new Stage({ play: { 1: sends }, perform: () => Promise.reject(new Error('the courier fell')) })
    stage.appoint({ atMs: 5, act: 1 }, { atMs: 20, act: 2 })
    await stage.advanceTo(60)
    expect(stage.ran).toEqual([1, 2])
    expect(stage.failures.map(String)).toEqual(['Error: the courier fell'])
  })

  it('that cannot be settled changes nothing, is told of and stops nothing', async () => {
    const stage = new Stage({
      play: { 1: sends },
      perform: () =>
        Promise.resolve(() => {
          stage.note('half', 1)
          throw new Error('no place for it')
        }),
    })
    stage.appoint({ atMs: 5, act: 1 }, { atMs: 20, act: 2 })
    await stage.advanceTo(60)
    expect([stage.log, stage.failures.map(String)]).toEqual([
      [
        [5, 'ran', 1],
        [20, 'ran', 2],
      ],
      ['Error: no place for it'],
    ])
  })
})

describe('what a task asks of the outside, while time passes by itself', () => {
  it('is not waited for, and settled when it comes back, at the time it is then', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends, 2: sends }, paused: false })
    stage.appoint({ atMs: 1_000, act: 1 }, { atMs: 2_000, act: 2 }, { atMs: 9_000, act: 3 })
    stage.machine.pass(5_000)
    expect(receivers.sent).toEqual([1, 2])
    receivers.answer(2)
    await quiet()
    stage.machine.pass(5_000)
    receivers.answer(1)
    await quiet()
    expect(stage.log).toEqual([
      [1_000, 'ran', 1],
      [2_000, 'ran', 2],
      [5_000, 'settled', 2],
      [9_000, 'ran', 3],
      [10_000, 'settled', 1],
    ])
  })

  it('is let come back before the program ends, and is not settled then', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends }, paused: false })
    stage.appoint({ atMs: 1_000, act: 1 })
    stage.machine.pass(1_000)
    let ended = false
    const ending = stage.engine.stop().then(() => (ended = true))
    await quiet()
    expect(ended).toBe(false)
    receivers.answer(1)
    await ending
    expect(stage.log).toEqual([[1_000, 'ran', 1]])
  })
})

describe('another world in the place of this one', () => {
  const replaced = (stage: Stage, atMs = 0) =>
    stage.engine.replaceWorld(() => {
      stage.store.clear()
      return { now: instant(began + atMs), offset: 0, speed: 1, paused: true }
    })

  it('shows its own time, earlier or later, and keeps it over a restart', async () => {
    const stage = new Stage()
    await stage.advanceTo(50_000)
    await replaced(stage, 7)
    expect([stage.nowMs, stage.world.clockRecord()?.now]).toEqual([7, began + 7])
  })

  it('waits for an advance to end', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends } })
    stage.appoint({ atMs: 5, act: 1 })
    const advancing = stage.advanceTo(60)
    const replacing = replaced(stage)
    await quiet()
    receivers.answer(1)
    expect(await advancing).toBe(0)
    await replacing
    expect([stage.log, stage.nowMs]).toEqual([[], 0])
  })

  it('hears nothing of what was sent in the old one, and does not wait for it', async () => {
    const { stage, receivers } = withReceivers({ play: { 1: sends }, paused: false })
    stage.appoint({ atMs: 5, act: 1 })
    stage.machine.pass(5)
    await replaced(stage)
    await stage.advanceTo(60)
    receivers.answer(1)
    await quiet()
    expect([stage.log, stage.failures]).toEqual([[], []])
  })

  it('tells what waits to be sent that it is not wanted any more', async () => {
    let wanted: () => boolean = () => false
    const stage = new Stage({
      play: { 1: sends },
      paused: false,
      perform: (_effect, { isWanted }) => {
        wanted = isWanted
        return new Promise(() => undefined)
      },
    })
    stage.appoint({ atMs: 5, act: 1 })
    stage.machine.pass(5)
    expect(wanted()).toBe(true)
    await replaced(stage)
    expect(wanted()).toBe(false)
  })

  it('is not there when it could not be made: everything is as it was', async () => {
    const stage = new Stage()
    stage.appoint({ atMs: 5, act: 1 })
    await stage.advanceTo(10)
    const failing = stage.engine.replaceWorld(() => {
      stage.store.clear()
      stage.world.now = instant(0)
      throw new Error('no world')
    })
    await expect(failing).rejects.toThrow('no world')
    expect([stage.ran, stage.nowMs]).toEqual([[1], 10])
  })
})
