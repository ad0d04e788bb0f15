import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { Clock, type ClockRecord } from '../../simulator/kernel/clock.js'
import { instant } from '../../simulator/kernel/instant.js'
import { ManualMachine } from '../support/manual-machine.js'

const start = instant(Date.UTC(2026, 0, 5, 12))
const minute = 60_000

let machine: ManualMachine
beforeEach(() => {
  machine = new ManualMachine()
})

const clockWith = (how: Partial<ClockRecord> = {}) =>
  new Clock(machine, { now: start, offset: start - machine.now(), speed: 1, paused: false, ...how })
const sinceStart = (clock: Clock) => clock.now() - start

describe('a clock', () => {
  it('passes with the machine, from another time', () => {
    const clock = clockWith()
    expect(sinceStart(clock)).toBe(0)
    machine.pass(1_234)
    expect(sinceStart(clock)).toBe(1_234)
  })

  it('passes 60 times as fast when told to', () => {
    const clock = clockWith({ speed: 60 })
    machine.pass(1_000)
    expect(sinceStart(clock)).toBe(minute)
  })

  it('loses nothing of a slow speed by being looked at often', () => {
    const clock = clockWith({ speed: 1 / 1024 })
    for (let i = 0; i < 10_240; i++) {
      machine.pass(1)
      clock.now()
    }
    expect(sinceStart(clock)).toBe(10)
  })

  it('stands while it is paused and goes on from there', () => {
    const clock = clockWith({ paused: true })
    machine.pass(5_000)
    expect(sinceStart(clock)).toBe(0)
    clock.set({ paused: false })
    machine.pass(7)
    expect(sinceStart(clock)).toBe(7)
    clock.set({ paused: true })
    machine.pass(1_000)
    expect([sinceStart(clock), clock.paused]).toEqual([7, true])
  })

  it('changes its speed from now on and not backwards', () => {
    const clock = clockWith()
    machine.pass(1_000)
    clock.set({ speed: 10 })
    machine.pass(1_000)
    expect([sinceStart(clock), clock.speed]).toEqual([11_000, 10])
  })

  it.each([true, false])('reaches a later moment and ignores an earlier one (paused: %s)', (paused) => {
    const clock = clockWith({ paused })
    clock.advanceTo(instant(start + minute))
    expect(sinceStart(clock)).toBe(minute)
    clock.advanceTo(instant(start + 1))
    expect(sinceStart(clock)).toBe(minute)
    machine.pass(5)
    expect(sinceStart(clock)).toBe(minute + (paused ? 0 : 5))
  })

  it('can be put to any time for another world, an earlier one too', () => {
    const clock = clockWith({ speed: 60 })
    machine.pass(1_000)
    clock.replace({ now: instant(5), speed: 2, paused: false })
    machine.pass(10)
    expect([clock.now(), clock.speed, clock.paused]).toEqual([25, 2, false])
  })

  it('says how long the machine must wait for a moment', () => {
    const clock = clockWith({ speed: 60 })
    expect(clock.systemMsUntil(instant(start + minute))).toBe(1_000)
    expect(clock.systemMsUntil(instant(start - 1))).toBe(0)
    clock.set({ paused: true })
    expect(clock.systemMsUntil(instant(start + minute))).toBeNull()
    expect(clock.systemMsUntil(start)).toBe(0)
  })

  it('never goes back, however the machine is set and whatever is asked of it', () => {
    const moves = fc.oneof(
      fc.record({ pass: fc.nat(10_000) }),
      fc.record({ setMachine: fc.integer({ min: -3_600_000, max: 3_600_000 }) }),
      fc.record({ reach: fc.integer({ min: -minute, max: minute }) }),
      fc.record({ speed: fc.constantFrom(0.001, 0.5, 1, 60, 10_000) }),
      fc.record({ paused: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 30 }), (all) => {
        const clock = clockWith()
        let last = clock.now()
        for (const move of all) {
          if ('pass' in move) machine.pass(move.pass)
          else if ('setMachine' in move) machine.wall += move.setMachine
          else if ('reach' in move) clock.advanceTo(instant(last + move.reach))
          else clock.set(move)
          const now = clock.now()
          expect(now).toBeGreaterThanOrEqual(last)
          last = now
        }
      }),
    )
  })

  it('goes on from where it was when the machine is set back', () => {
    const clock = clockWith()
    machine.pass(10_000)
    expect(sinceStart(clock)).toBe(10_000)
    machine.wall -= 3_600_000
    expect(sinceStart(clock)).toBe(10_000)
    machine.pass(5)
    expect(sinceStart(clock)).toBe(10_005)
  })
})

describe('a clock after a restart', () => {
  const restarted = (clock: Clock, downMs: number) => {
    const record = clock.record()
    machine.pass(downMs)
    return new Clock(machine, record)
  }

  it('went on with the machine meanwhile when it was running', () => {
    const clock = clockWith()
    machine.pass(1_000)
    expect(sinceStart(restarted(clock, minute))).toBe(1_000 + minute)
  })

  it('went on at the machine’s pace, not at its own, and is as fast as before afterwards', () => {
    const clock = restarted(clockWith({ speed: 60 }), minute)
    expect(sinceStart(clock)).toBe(minute)
    machine.pass(1_000)
    expect(sinceStart(clock)).toBe(2 * minute)
  })

  it('stands where it stood when it was paused', () => {
    const clock = restarted(clockWith({ paused: true }), minute)
    expect([sinceStart(clock), clock.paused]).toEqual([0, true])
  })

  it('is never earlier than what was stored, even if the machine was set back', () => {
    const clock = clockWith()
    machine.pass(1_000)
    const record = clock.record()
    machine.wall -= 3_600_000
    expect(sinceStart(new Clock(machine, record))).toBe(1_000)
  })
})
