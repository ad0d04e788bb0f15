import { describe, expect, it } from 'vitest'
import { RunawayError } from '../../../simulator/runtime/step-limit.js'
import { instant } from '../../../simulator/kernel/instant.js'
import { began, quiet, Stage } from '../../support/played-engine.js'

describe('a task that fails', () => {
  it('leaves nothing half done, keeps what ran before it, and lets time stand there', async () => {
    const stage = new Stage({ play: { 3: { fails: true, then: [{ key: 'half', inMs: 1, act: 9 }] } } })
    stage.appoint({ atMs: 10, act: 1 }, { atMs: 20, act: 2 }, { atMs: 30, act: 3 }, { atMs: 40, act: 4 })
    await expect(stage.advanceTo(60)).rejects.toThrow('act 3 fails')
    expect(stage.log).toEqual([
      [10, 'ran', 1],
      [20, 'ran', 2],
    ])
    expect(stage.nowMs).toBe(20)
    expect(stage.world.clockRecord()?.now).toBe(began + 20)
    expect(stage.world.agenda.upcoming(9).map(({ key }) => key)).toEqual(['act 3', 'act 4'])
  })

  it('is tried again at its own time, and what comes after it goes on when it succeeds', async () => {
    const stage = new Stage({ play: { 2: { fails: true } } })
    stage.appoint({ atMs: 10, act: 1 }, { atMs: 20, act: 2 }, { atMs: 30, act: 3 })
    await expect(stage.advanceTo(60)).rejects.toThrow('act 2 fails')
    await expect(stage.advanceTo(60)).rejects.toThrow('act 2 fails')
    stage.play = {}
    await stage.advanceTo(60)
    expect(stage.log).toEqual([
      [10, 'ran', 1],
      [20, 'ran', 2],
      [30, 'ran', 3],
    ])
  })

  it('takes no effect of those before it away, and sends none of its own', async () => {
    const stage = new Stage({ play: { 1: { effect: true }, 2: { effect: true, fails: true } } })
    stage.appoint({ atMs: 10, act: 1 }, { atMs: 10, act: 2 })
    await expect(stage.advanceTo(60)).rejects.toThrow('act 2 fails')
    await quiet()
    stage.play = {}
    await stage.advanceTo(60)
    expect(stage.log).toEqual([
      [10, 'ran', 1],
      [10, 'settled', 1],
      [10, 'ran', 2],
    ])
  })

  it('is told of when time passes by itself, and does not make the loop spin', () => {
    const stage = new Stage({ play: { 1: { fails: true } }, paused: false })
    stage.appoint({ atMs: 10, act: 1 })
    stage.machine.pass(60_000)
    expect([stage.failures.map(String), stage.log]).toEqual([['Error: act 1 fails'], []])
    expect(stage.machine.timers).toBe(0)
  })
})

describe('a step that fails', () => {
  it('leaves nothing behind: no row, no appointment, no notice, no time', () => {
    const stage = new Stage()
    const heard: unknown[] = []
    stage.engine.subscribe((notice) => heard.push(notice))
    const failing = () =>
      stage.engine.step(() => {
        stage.note('half', 1)
        stage.world.agenda.put('half', began, { kind: 'retention' })
        stage.world.publish({ kind: 'event', tenant: 0, type: 'lead.created', lead: null, n: 1 })
        throw new Error('refused')
      })
    expect(failing).toThrow('refused')
    expect([stage.log, stage.world.agenda.next(), stage.store.inTransaction]).toEqual([[], null, false])
    stage.engine.step(() => undefined)
    expect(heard).toEqual([])
  })
})

describe('a task that makes appointments for the moment it runs in, without end', () => {
  const endless = { 1: { then: [{ key: 'again', inMs: 0, act: 1 }] } }

  it('is stopped with an error that says its kind and the moment', async () => {
    const stage = new Stage({ play: endless, stepsPerInstantMax: 50 })
    stage.appoint({ atMs: 10, act: 1 })
    const advancing = stage.advanceTo(60)
    await expect(advancing).rejects.toThrow(RunawayError)
    await expect(advancing).rejects.toThrow(
      'More than 50 tasks ran at 2026-10-01T12:00:00.010Z and time did not pass: a task of kind lead.due keeps making appointments for the same moment.',
    )
  })

  it('leaves a world that can be read and written, and that goes on without it', async () => {
    const stage = new Stage({ play: endless, stepsPerInstantMax: 50 })
    stage.appoint({ atMs: 10, act: 1 }, { atMs: 20, act: 2 })
    await expect(stage.advanceTo(60)).rejects.toThrow(RunawayError)
    const before = stage.ran.length
    expect(before).toBeGreaterThan(0)
    stage.play = {}
    await stage.engine.replaceWorld(() => {
      stage.world.agenda.cancel('again')
      return { now: stage.world.now, offset: 0, speed: 1, paused: true }
    })
    await stage.advanceTo(60)
    expect(stage.ran.slice(before)).toEqual([2])
  })

  it('is stopped too when two feed each other', async () => {
    const stage = new Stage({
      play: { 1: { then: [{ key: 'other', inMs: 0, act: 2 }] }, 2: { then: [{ key: 'one', inMs: -5, act: 1 }] } },
      stepsPerInstantMax: 50,
    })
    stage.appoint({ atMs: 10, act: 1 })
    await expect(stage.advanceTo(60)).rejects.toThrow(RunawayError)
  })

  it('is not seen in many tasks of one moment that come to an end', async () => {
    const play = Object.fromEntries(
      Array.from({ length: 200 }, (_, act) => [act, { then: [{ key: `after ${act}`, inMs: 0, act: act + 1_000 }] }]),
    )
    const stage = new Stage({ play, stepsPerInstantMax: 50 })
    stage.appoint(...Object.keys(play).map((act) => ({ atMs: 10, act: Number(act) })))
    await stage.advanceTo(60)
    expect(stage.ran.length).toBe(400)
  })

  it('is not seen in what many steps make due while time stands still', () => {
    const stage = new Stage({ stepsPerInstantMax: 5 })
    for (let act = 0; act < 50; act++) {
      stage.appoint({ atMs: 0, act })
      stage.machine.pass(0)
    }
    expect([stage.ran.length, stage.failures]).toEqual([50, []])
  })

  it('may run as often as it likes while time passes', async () => {
    const stage = new Stage({ play: { 1: { then: [{ key: 'again', inMs: 1, act: 1 }] } }, stepsPerInstantMax: 5 })
    stage.appoint({ atMs: 0, act: 1 })
    await stage.advanceTo(1_000)
    expect(stage.ran.length).toBe(1_001)
  })
})

describe('a listener that fails', () => {
  const failing = () => {
    throw new Error('not listening')
  }

  it('is told of, and neither the step, nor its answer, nor the other listeners suffer', () => {
    const stage = new Stage()
    const heard: string[] = []
    stage.engine.subscribe(failing)
    stage.engine.subscribe(({ kind }) => heard.push(kind))
    const answer = stage.engine.step(() => {
      stage.note('done', 1)
      stage.world.publish({ kind: 'event', tenant: 0, type: 'lead.created', lead: null, n: 1 })
      return 42
    })
    expect([answer, heard, stage.failures.map(String)]).toEqual([42, ['event'], ['Error: not listening']])
    expect(stage.log).toEqual([[0, 'done', 1]])
  })

  it('keeps no effect from being sent', async () => {
    const stage = new Stage({ play: { 1: { effect: true } } })
    stage.engine.subscribe(failing)
    stage.appoint({ atMs: 10, act: 1 })
    stage.engine.step(() => stage.world.publish({ kind: 'event', tenant: 0, type: 'lead.created', lead: null, n: 1 }))
    await stage.advanceTo(60)
    expect(stage.log).toEqual([
      [10, 'ran', 1],
      [10, 'settled', 1],
    ])
  })

  it('hears nothing any more once it is stopped', () => {
    const stage = new Stage()
    const heard: string[] = []
    const stop = stage.engine.subscribe(({ kind }) => heard.push(kind))
    const notice = () =>
      stage.engine.step(() => stage.world.publish({ kind: 'event', tenant: 0, type: 'lead.late', lead: null, n: 1 }))
    notice()
    stop()
    notice()
    expect([heard, stage.world.watched, instant(stage.nowMs)]).toEqual([['event'], false, 0])
  })
})
