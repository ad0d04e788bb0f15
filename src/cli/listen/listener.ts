/** Forwards events from the feed, in order or several at once, and settles each event once. */
import { setMaxListeners } from 'node:events'
import type { SystemClock } from '../../client/system-clock.js'
import type { Event } from '../../contract/events.js'
import type { EventFilter } from '../input/event-types.js'
import { isAccepted, type Forwarded, type Forwarder } from './forwarder.js'
import { stillThereMs, type CursorFile } from './cursor-file.js'
import type { Report, Summary } from './report.js'
import type { Targets } from './targets.js'

export interface ListenerOptions {
  /** Selects event types; others are skipped. */
  isMeant: EventFilter
  targets: Targets
  forwarder: Forwarder
  place: CursorFile
  /** Number of simultaneous requests. With 1, events arrive in order. */
  concurrency: number
  maxEvents: number
  report: Report
  machine: SystemClock
}

/** Time that requests in flight have left after a stop. */
const drainMs = 2_000

export class Listener {
  readonly #options: ListenerOptions
  readonly #stop = new AbortController()
  readonly #abandon = new AbortController()
  #underWay = 0
  readonly #summary = { delivered: 0, failed: 0, left: 0 }

  constructor(options: ListenerOptions) {
    this.#options = options
    // Each event in flight listens to both signals.
    setMaxListeners(0, this.#stop.signal, this.#abandon.signal)
  }

  /** True if a request is in flight or waits for a retry. */
  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /** Aborted when no new work may start. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** Starts no new work. Requests in flight have two seconds to finish. */
  stop(): void {
    if (this.#stop.signal.aborted) return
    this.#stop.abort()
    const { machine } = this.#options
    void machine.sleep(drainMs, this.#abandon.signal).then(
      () => this.#abandon.abort(),
      () => undefined,
    )
  }

  /** Starts no new work and abandons requests in flight. */
  abandon(): void {
    this.#stop.abort()
    this.#abandon.abort()
  }

  /** Runs until stopped or until the maximum number of events. Stores the position in every case. */
  async run(batches: AsyncIterable<readonly Event[]>): Promise<Summary> {
    const { concurrency, place, machine } = this.#options
    const began = machine.now()
    const events = this.#wanted(batches)
    const stillThere = setInterval(() => place.save(), stillThereMs)
    const workers = Array.from({ length: concurrency }, () => this.#work(events))
    try {
      await Promise.all(workers)
    } finally {
      this.stop()
      await Promise.allSettled(workers)
      this.abandon()
      clearInterval(stillThere)
      place.save(true)
    }
    return { ...this.#summary, lengthMs: machine.now() - began }
  }

  /** Yields the selected events one at a time, up to the maximum. Skipped events are settled at once. */
  async *#wanted(batches: AsyncIterable<readonly Event[]>): AsyncGenerator<Event> {
    const { isMeant, place, maxEvents } = this.#options
    let given = 0
    for await (const batch of batches) {
      for (const event of batch) {
        if (this.#stop.signal.aborted) return
        const isNew = place.take(event)
        if (!isMeant(event.type)) place.settle(event)
        if (!isNew || !isMeant(event.type)) continue
        yield event
        if (++given >= maxEvents) return
      }
    }
  }

  async #work(events: AsyncGenerator<Event>): Promise<void> {
    for (;;) {
      const next = await events.next()
      if (next.done) return
      this.#underWay++
      await this.#settle(next.value).finally(() => this.#underWay--)
    }
  }

  async #settle(event: Event): Promise<void> {
    const { targets, forwarder, place, report } = this.#options
    const url = targets.of(event.type)
    const result = url ? await forwarder.forward(event, url, this.#stop.signal, this.#abandon.signal) : event
    if (!result) {
      this.#summary.left++
      return
    }
    // An event that is only printed is settled once it is printed.
    if (result === event) await report.event(event, result)
    place.settle(event)
    place.save()
    const isDelivered = result === event || isAccepted(result as Forwarded)
    this.#summary[isDelivered ? 'delivered' : 'failed']++
    if (result !== event) await report.event(event, result)
  }
}
