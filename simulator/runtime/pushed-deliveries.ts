/**
 * Webhook attempts while time is advanced. Simulated time waits for receivers that answer promptly. The endpoint of a
 * slow receiver falls behind, and time goes on as long as the missing answers cannot change what happens. Every
 * outcome is recorded at the simulated time when its attempt started. The reasons are in
 * docs/adr/0001-deliveries-in-pushed-time.md.
 */
import { EndpointQueue, withStart, type RunningAttempt } from './endpoint-queue.js'
import { earlier, endOfTime, type Instant } from '../kernel/instant.js'
import type { PendingEffect } from './pending-effects.js'
import type { LiveAttempt, Sender, Settle } from './sender.js'
import type { SystemClock } from '../kernel/system-clock.js'
import type { Effect } from '../model/task.js'
import { StoreError } from '../storage/store-error.js'
import type { WebhookFault } from '../webhooks/webhook-faults.js'
import type { World } from '../model/world.js'

/**
 * How long time waits for an answer, in system time. A receiver that takes longer counts as slow until it answers
 * faster.
 */
const promptWithinMs = 1_000

/** Time waits while one endpoint has more attempts than this in memory. */
const waitingMost = 10_000

export interface PushedDeliveriesOptions {
  world: World
  sender: Sender
  machine: SystemClock
  /** False removes the limit on starts per second. */
  paced: boolean
  onFailure: (error: unknown) => void
}

/** An attempt whose receiver has not answered yet. */
export interface AwaitedAttempt {
  effect: Effect
  /** How long it has waited, in milliseconds of the system clock. */
  ms: number
}

export class PushedDeliveries {
  readonly #options: PushedDeliveriesOptions
  /** Queues by endpoint. Empty ones are removed. */
  readonly #queues = new Map<number, EndpointQueue>()
  /** Endpoints whose receiver was too slow. */
  readonly #slow = new Set<number>()
  /** Start of the advance. No attempt starts earlier. */
  readonly #from: Instant
  /** Undoes what the current step did in memory. */
  #undo: (() => void)[] = []
  /** Sends the attempts that start in the current step. */
  #sends: (() => void)[] = []
  #heard: () => void = () => undefined

  /**
   * @param underWay attempts from before the advance. Those that started are awaited, the others are queued here. As
   * many of them start at once as the limit in system time still allowed.
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

  /** Adds an attempt that became due in the current step. */
  add(effect: Effect): void {
    const queue = this.#queueOf(effect)
    const attempt = { effect, ...this.#options.sender.dueOf(effect) }
    queue.add(attempt)
    this.#undo.push(() => queue.remove(attempt))
  }

  get isIdle(): boolean {
    return this.#queues.size === 0
  }

  /** Whether an attempt is running or has an answer to record. */
  get isRunning(): boolean {
    for (const { running } of this.#queues.values()) if (running.length > 0) return true
    return false
  }

  /** The attempt of each endpoint that has waited longest for its answer, with the time since then. */
  unanswered(): AwaitedAttempt[] {
    const now = this.#options.machine.monotonic()
    return [...this.#queues.values()].flatMap(({ running }) => {
      const first = running.find(({ settle }) => settle === null)
      return first ? [{ effect: first.effect, ms: now - first.since }] : []
    })
  }

  /** Whether an answer is there that can be recorded now. */
  get #hasAnswer(): boolean {
    for (const { running } of this.#queues.values()) if (running[0]?.settle) return true
    return false
  }

  /** The time that the world must not pass before more answers are there. */
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

  /** Records the answers that are there and decides which attempts start, up to `until`. Part of a step. */
  pass(until: Instant): void {
    for (const [endpoint, queue] of [...this.#queues].sort(([a], [b]) => a - b)) {
      this.#settle(queue)
      this.#startAll(queue, until)
      if (!queue.isIdle) continue
      this.#queues.delete(endpoint)
      this.#undo.push(() => this.#queues.set(endpoint, queue))
    }
  }

  /** Called after the step was committed: sends the attempts it started. */
  kept(): void {
    this.#undo = []
    for (const send of this.#sends.splice(0)) send()
  }

  /** Called after the step was rolled back: restores the memory of before. */
  takeBack(): void {
    this.#sends = []
    for (const undo of this.#undo.splice(0).reverse()) undo()
  }

  /** Records answers in the order of the starts, up to the first missing one. */
  #settle(queue: EndpointQueue): void {
    const { running } = queue
    for (let first = running[0]; first?.settle; first = running[0]) {
      const { settle, at, behind } = first
      const settled = first
      running.shift()
      this.#undo.push(() => running.unshift(settled))
      try {
        this.#options.world.attempt(() => this.#at(at, settle))
      } catch (error) {
        if (error instanceof StoreError || !this.#options.world.store.inTransaction) throw error
        this.#options.onFailure(error)
      }
      if (behind.length > 0) this.#undo.push(queue.reorder(behind, (effect) => this.#options.sender.dueOf(effect).due))
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
    const { machine, sender } = this.#options
    const since = machine.monotonic()
    const behind = sender.reorderedBehind(effect)
    const running: RunningAttempt = { effect, at, since, retryAt, behind, outcome, settle: null }
    this.#queueOf(effect).running.push(running)
    const timer = machine.after(promptWithinMs, () => {
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

  /**
   * Resolves when the next answer can be recorded, or when time may go on without it. Answers that came together are
   * recorded in one step.
   */
  async nextAnswer(): Promise<void> {
    const slow = this.#slow.size
    while (!this.#hasAnswer && this.isRunning && this.#slow.size === slow)
      await new Promise<void>((resolve) => (this.#heard = resolve))
    await this.#options.machine.turn()
  }

  /** Runs work with the world's clock at the time of an attempt, so that everything it records has that time. */
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

  /** Returns the remaining attempts when the advance ends early. They continue as live attempts. */
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
