/** The limits of one endpoint: counted at real receivers, and checked for random histories on a test clock. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EndpointLimiter } from '../../../simulator/webhooks/sender/endpoint-limiter.js'
import { webhookAnswerSeconds } from '../../../src/contract/limits.js'
import { courierWith, deliver, parcelTo, receiverWith } from '../../support/dispatch.js'
import { PatientMachine } from '../../support/patient-machine.js'

// rule W7
describe('a lane', () => {
  /** The most requests that came within any such while. */
  const mostWithin = (times: readonly number[], ms: number) =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + ms).length))

  it('begins at most ten in any second, in order, and drops none', async () => {
    const machine = new PatientMachine()
    const times: number[] = []
    const answer = () => {
      times.push(machine.monotonic())
      return {}
    }
    const receiver = machine.watch(await receiverWith(answer))
    const courier = courierWith({ machine, answerWithinMs: webhookAnswerSeconds * 1_000 })
    const sent = Array.from({ length: 25 }, (_, n) => courier.send('lane', () => parcelTo(`${receiver.url}/${n}`)))
    const outcomes = await machine.through(Promise.all(sent))
    expect(outcomes.map((outcome) => outcome?.responseStatus)).toEqual(Array(25).fill(200))
    expect(mostWithin(times, 1_000)).toBe(10)
    const order = receiver.requests.map(({ path }) => Number(path.slice(1)))
    for (const [place, n] of order.entries()) expect(Math.abs(place - n)).toBeLessThan(5)
  })

  it('has at most five under way, and goes on as soon as one ends', async () => {
    const release: (() => void)[] = []
    const receiver = await receiverWith(() => new Promise((resolve) => release.push(() => resolve({ status: 200 }))))
    const courier = courierWith({ answerWithinMs: 10_000 })
    let prepared = 0
    const parcel = () => {
      prepared += 1
      return parcelTo(receiver.url)
    }
    const sent = Array.from({ length: 8 }, () => courier.send('lane', parcel))
    await receiver.waitFor(5)
    expect(prepared).toBe(5)
    release.shift()?.()
    await receiver.waitFor(6)
    expect(prepared).toBe(6)
    for (const one of release.splice(0)) one()
    await receiver.waitFor(8)
    for (const one of release.splice(0)) one()
    await Promise.all(sent)
    expect(receiver.mostAtOnce).toBe(5)
  })

  it('does not spend its starts on what was not sent', async () => {
    const receiver = await receiverWith()
    const courier = courierWith()
    const skipped = Array.from({ length: 200 }, () => courier.send('lane', () => null))
    await deliver(receiver.url, courier)
    expect(await Promise.all(skipped)).toEqual(Array(200).fill(null))
  })

  it('that hangs does not hold up another', async () => {
    const hanging = await receiverWith(() => new Promise(() => undefined))
    const healthy = await receiverWith()
    const courier = courierWith({ answerWithinMs: 3_600_000 })
    for (let lane = 0; lane < 20; lane++) {
      for (let n = 0; n < 8; n++) void courier.send(`hanging ${lane}`, () => parcelTo(hanging.url))
    }
    await hanging.waitFor(100)
    await Promise.all([1, 2, 3, 4, 5].map(() => courier.send('healthy', () => parcelTo(healthy.url))))
    expect(hanging.requests).toHaveLength(100)
  })
})

/** A machine whose time passes only when a timer is due. */
class Hourglass {
  #now = 0
  #timers: { at: number; callback: () => void }[] = []

  monotonic = () => this.#now

  after(ms: number, callback: () => void) {
    const timer = { at: this.#now + Math.max(0, ms), callback }
    this.#timers.push(timer)
    return { cancel: () => void (this.#timers = this.#timers.filter((other) => other !== timer)) }
  }

  /** Runs one timer after the other until none is left. */
  async runOut(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) return
      this.#timers = this.#timers.filter((other) => other !== next)
      this.#now = next.at
      next.callback()
    }
  }
}

describe('the limits of a lane', () => {
  const mostly = (usual: number, worst: number) =>
    fc.oneof({ weight: 4, arbitrary: fc.nat(usual) }, { weight: 1, arbitrary: fc.nat(worst) })
  const anyTry = fc.record({
    comesAfterMs: mostly(20, 2_000),
    connectsInMs: mostly(20, 1_500),
    answersInMs: mostly(40, 3_000),
    sends: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  })

  it('hold whatever comes when, however long it takes, and all of it has its turn in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTry, { maxLength: 60, size: 'max' }), async (tries) => {
        const glass = new Hourglass()
        const lane = new EndpointLimiter(glass)
        const pause = (ms: number) => new Promise<void>((resolve) => void glass.after(ms, resolve))
        const begun: number[] = []
        const sentAt: number[] = []
        const results: Promise<number | null>[] = []
        let underWay = 0
        let comesAt = 0
        for (const [n, { comesAfterMs, connectsInMs, answersInMs, sends }] of tries.entries()) {
          glass.after((comesAt += comesAfterMs), () => {
            const result = lane.run(async (sent) => {
              begun.push(n)
              underWay += 1
              expect(underWay).toBeLessThanOrEqual(5)
              await pause(connectsInMs)
              if (sends) {
                sentAt.push(glass.monotonic())
                sent()
                await pause(answersInMs)
              }
              underWay -= 1
              return sends ? n : null
            })
            results.push(result)
          })
        }
        await glass.runOut()
        expect(await Promise.all(results)).toEqual(tries.map(({ sends }, n) => (sends ? n : null)))
        expect(begun).toEqual(tries.map((_, n) => n))
        for (const from of sentAt) {
          expect(sentAt.filter((at) => at >= from && at - from < 1_000).length).toBeLessThanOrEqual(10)
        }
        await pastWindow(glass)
        expect(lane.atRest).toBe(true)
      }),
    )
  })
})

async function pastWindow(glass: Hourglass): Promise<void> {
  glass.after(2_000, () => undefined)
  await glass.runOut()
}
