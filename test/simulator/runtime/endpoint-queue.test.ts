/** The order and the times of attempts to one endpoint in pushed time. */
import { describe, expect, it } from 'vitest'
import { after, instant, minutes, seconds } from '../../../simulator/kernel/instant.js'
import {
  EndpointQueue,
  withStart,
  type RunningAttempt,
  type WaitingAttempt,
} from '../../../simulator/runtime/endpoint-queue.js'

const start = instant(1_000_000)
const at = (count: number) => after(start, seconds(count))
const attemptOf = (delivery: number, due = start, reserved = false): WaitingAttempt => ({
  effect: { tenant: 1, endpoint: 1, delivery, reserved } as WaitingAttempt['effect'],
  due,
  reserved,
})
const running = (began = start, retryAt = after(began, minutes(1))): RunningAttempt => ({
  effect: attemptOf(99).effect,
  at: began,
  since: 0,
  retryAt,
  behind: [],
  outcome: new Promise(() => undefined),
  settle: null,
})
const healthy = { failingSince: null, starts: [] }
const always = () => true

describe('a queue of one endpoint', () => {
  it('orders attempts by the time they fell due, reserved ones first, then by delivery', () => {
    const queue = new EndpointQueue(start, true)
    for (const one of [attemptOf(3), attemptOf(1, at(1)), attemptOf(2), attemptOf(9, start, true)]) queue.add(one)
    expect(queue.waiting.map(({ effect }) => effect.delivery)).toEqual([9, 2, 3, 1])
  })

  it('starts the eleventh exactly a second after the first', () => {
    const queue = new EndpointQueue(start, true)
    queue.add(attemptOf(1))
    const ten = Array.from({ length: 10 }, () => start)
    expect(queue.next({ failingSince: null, starts: ten }, (time) => time <= start)).toMatchObject({
      at: at(1),
      isReached: false,
    })
    expect(withStart(ten, at(1))).toEqual([...ten.slice(1), at(1)])
  })

  it('has at most five attempts without an answer', () => {
    const queue = new EndpointQueue(start, true)
    queue.add(attemptOf(1))
    for (let i = 0; i < 5; i++) queue.running.push(running())
    expect(queue.next(healthy, always)).toBeNull()
    queue.running[2]!.settle = () => undefined
    expect(queue.next(healthy, always)).toMatchObject({ at: start })
  })

  it('waits for an answer whose retry could come first', () => {
    const queue = new EndpointQueue(start, true)
    queue.running.push(running())
    queue.add(attemptOf(1, at(60)))
    expect(queue.next(healthy, always)).toBeNull()
    const earlier = new EndpointQueue(start, true)
    earlier.running.push(running())
    earlier.add(attemptOf(1, at(59)))
    expect(earlier.next(healthy, always)).toMatchObject({ at: at(59) })
  })

  it('waits for an answer that could pause the endpoint', () => {
    const queue = new EndpointQueue(start, true)
    queue.running.push(running(at(24 * 3_600), at(25 * 3_600)))
    queue.add(attemptOf(1, at(24 * 3_600 + 1)))
    expect(queue.next({ failingSince: start, starts: [] }, always)).toBeNull()
    expect(queue.next({ failingSince: at(10), starts: [] }, always)).not.toBeNull()
  })

  it('waits until all tasks up to the time of an attempt have run', () => {
    const queue = new EndpointQueue(start, true)
    queue.add(attemptOf(1, at(5)))
    expect(queue.next(healthy, (time) => time < at(5))).toBeNull()
  })
})
