/**
 * Webhook attempts while time is pushed. Time waits for the answers of receivers that answer promptly. When a receiver is
 * slow, its endpoint lags behind in a timeline of its own, and time goes on as far as the missing answers cannot change
 * what happens. Every outcome is written down at the simulated time its attempt started.
 * docs/adr/0001-deliveries-in-pushed-time.md says why.
 */
import { EndpointQueue, withStart, type RunningAttempt } from './endpoint-queue.js'
import { earlier, endOfTime, type Instant } from '../kernel/instant.js'
import type { PendingEffect } from './pending-effects.js'
import type { LiveAttempt, Sender, Settle } from './sender.js'
import type { SystemClock } from '../kernel/system-clock.js'
import type { Effect } from '../model/effect.js'
import { StoreError } from '../storage/store-error.js'
import type { WebhookFault } from '../webhooks/webhook-faults.js'
import type { World } from '../model/world.js'

/** Time waits this long for an answer; after that the receiver is slow until it answers faster. System clock. */
const promptWithinMs = 1_000

/** Time waits when one endpoint has more attempts than this in memory. */
const waitingMost = 10_000

export interface PushedDeliveriesOptions {
  world: World
  sender: Sender
  machine: SystemClock
  /** False lifts the limit of starts a second. */
  paced: boolean
  onFailure: (error: unknown) => void
}

export class PushedDeliveries {
  readonly #options: PushedDeliveriesOptions
  /** By endpoint; those with nothing to do are removed. */
  readonly #queues = new Map<number, EndpointQueue>()
  /** Endpoints whose receiver let an attempt wait. */
  readonly #slow = new Set<number>()
  /** No attempt starts before the push began. */
  readonly #from: Instant
  /** Takes back what the step under way did in memory. */
  #undo: (() => void)[] = []
  /** Sends what starts in the step under way. */
  #sends: (() => void)[] = []
  #heard: () => void = () => undefined

  /**
   * @param underWay attempts of the time before the push: those that started are waited for, the others have their turn
   * here. As many as the system clock's limit had room for start at once, however fast their receiver answers.
   */
  constructor(options: PushedDeliveriesOptions, underWay: readonly PendingEffect[]) {
    this.#options = options
    this.#from = options.world.now
    const { sender } = options
    const startsLeft = new Map(sender.recall())
    for (const { effect, outcome, began } of underWay) {
      const at = began()
      if (at !== null) {
        this.#run(effect, at, sender.retryAt(effect, at), outcome)
        continue
      }
      const left = startsLeft.get(effect.endpoint) ?? 0
      startsLeft.set(effect.endpoint, left - 1)
      this.#queueOf(effect).add({ effect, due: sender.dueOf(effect).due, reserved: left > 0 })
    }
  }

  /** An attempt fell due in the step under way. */
  add(effect: Effect): void {
    const queue = this.#queueOf(effect)
    const attempt = { effect, ...this.#options.sender.dueOf(effect) }
    queue.add(attempt)
    this.#undo.push(() => queue.remove(attempt))
  }

  get isIdle(): boolean {
    return this.#queues.size === 0
  }

  /** Whether an attempt is under way, or its answer is still to be written down. */
  get isRunning(): boolean {
    for (const { running } of this.#queues.values()) if (running.length > 0) return true
    return false
  }

  /** Whether an answer has come whose turn it is to be written down. */
  get #hasAnswer(): boolean {
    for (const { running } of this.#queues.values()) if (running[0]?.settle) return true
    return false
  }

  /** The time past which the world must not go before more answers are there. */
  limit(): Instant {
    let limit = endOfTime
    for (const [endpoint, queue] of this.#queues) limit = earlier(limit, this.#limitOf(endpoint, queue))
    return limit
  }

  #limitOf(endpoint: number, queue: EndpointQueue): Instant {
    const { effect } = queue.running[0] ?? queue.waiting[0] ?? {}
    if (!effect) return endOfTime
    if (!this.#slow.has(endpoint) || queue.waiting.length > waitingMost) return this.#from
    return queue.pausesFrom(this.#options.sender.endpoint(effect)?.failingSince ?? null)
  }

  /** Writes down the answers that have come and decides what starts, not after `until`: a part of a step. */
  pass(until: Instant): void {
    for (const [endpoint, queue] of [...this.#queues].sort(([a], [b]) => a - b)) {
      this.#settle(queue)
      this.#startAll(queue, until)
      if (!queue.isIdle) continue
      this.#queues.delete(endpoint)
      this.#undo.push(() => this.#queues.set(endpoint, queue))
    }
  }

  /** The step was kept: what it starts is sent. */
  kept(): void {
    this.#undo = []
    for (const send of this.#sends.splice(0)) send()
  }

  /** The step was not kept: all is as it was before it. */
  takeBack(): void {
    this.#sends = []
    for (const undo of this.#undo.splice(0).reverse()) undo()
  }

  /** Settles answers in the order of the starts, as far as they are there. */
  #settle({ running }: EndpointQueue): void {
    for (let first = running[0]; first?.settle; first = running[0]) {
      const { settle, at } = first
      const settled = first
      running.shift()
      this.#undo.push(() => running.unshift(settled))
      try {
        this.#options.world.attempt(() => this.#at(at, settle))
      } catch (error) {
        if (error instanceof StoreError || !this.#options.world.store.inTransaction) throw error
        this.#options.onFailure(error)
      }
    }
  }

  #startAll(queue: EndpointQueue, until: Instant): void {
    const { world, sender } = this.#options
    const isReached = (at: Instant) => at <= until && world.agenda.next(at) === null
    for (;;) {
      const head = queue.waiting[0]
      if (!head) return
      const state = sender.endpoint(head.effect) ?? { failingSince: null, starts: [] }
      const next = queue.next(state, isReached)
      if (!next) return
      const { attempt, at } = next
      const { effect, reserved } = attempt
      queue.take()
      this.#undo.push(() => queue.putBack(attempt))
      if (sender.isOff(effect, at)) {
        this.#at(at, () => sender.skip(effect))
        continue
      }
      const taken = next.isReached ? sender.takeFault(effect) : null
      if (taken) this.#undo.push(taken.putBack)
      if (taken?.postpones) {
        this.#at(at, () => sender.postpone(effect, taken.fault, at))
        continue
      }
      if (!reserved) sender.keepStarts(effect, withStart(state.starts, at))
      if (next.isReached) this.#sends.push(this.#start(queue, effect, at, taken?.fault ?? null))
      else sender.reserve(effect, at)
    }
  }

  #start(queue: EndpointQueue, effect: Effect, at: Instant, fault: WebhookFault | null): () => void {
    const { sender } = this.#options
    const send = sender.prepare(effect, at, fault)
    let go: (outcome: Promise<Settle>) => void = () => undefined
    const outcome = new Promise<Settle>((resolve) => (go = resolve))
    const running = this.#run(effect, at, sender.retryAt(effect, at), outcome)
    this.#undo.push(() => queue.running.splice(queue.running.indexOf(running), 1))
    return () => go(send())
  }

  #run(effect: Effect, at: Instant, retryAt: Instant | null, outcome: Promise<Settle>): RunningAttempt {
    const running: RunningAttempt = { effect, at, retryAt, outcome, settle: null }
    this.#queueOf(effect).running.push(running)
    const timer = this.#options.machine.after(promptWithinMs, () => {
      this.#slow.add(effect.endpoint)
      isPrompt = false
      this.#heard()
    })
    let isPrompt = true
    const heard = (settle: Settle) => {
      timer.cancel()
      if (isPrompt) this.#slow.delete(effect.endpoint)
      running.settle = settle
      this.#heard()
    }
    outcome.then(heard, (error: unknown) =>
      heard(() => {
        throw error
      }),
    )
    return running
  }

  /** Resolves when an answer has come whose turn it is, or when time may go on without one. */
  async nextAnswer(): Promise<void> {
    const slow = this.#slow.size
    while (!this.#hasAnswer && this.isRunning && this.#slow.size === slow)
      await new Promise<void>((resolve) => (this.#heard = resolve))
  }

  /** Runs work with the world at the time of an attempt: all that is written follows from that time. */
  #at(at: Instant, work: () => void): void {
    const { world } = this.#options
    const { now } = world
    world.now = at
    try {
      work()
    } finally {
      world.now = now
    }
  }

  #queueOf({ endpoint }: Effect): EndpointQueue {
    let queue = this.#queues.get(endpoint)
    if (!queue) this.#queues.set(endpoint, (queue = new EndpointQueue(this.#from, this.#options.paced)))
    return queue
  }

  /** The push ended early: what is left goes on as attempts of time that passes by itself. */
  letGo(): { running: (LiveAttempt & { effect: Effect })[]; waiting: Effect[] } {
    this.takeBack()
    const queues = [...this.#queues.values()]
    this.#queues.clear()
    this.#heard()
    const running = queues.flatMap((queue) => queue.running)
    for (const { effect, outcome } of running) this.#options.sender.hold(effect, outcome)
    return {
      running: running.map(({ effect, at, outcome }) => ({
        effect,
        began: () => at,
        outcome: outcome.then((settle) => () => this.#at(at, settle)),
      })),
      waiting: queues.flatMap(({ waiting }) => waiting.map(({ effect }) => effect)),
    }
  }
}
