/** The work of a listener: events come in, go out in order or several at a time, and each is settled once. */
import { setMaxListeners } from 'node:events'
import type { SystemClock } from '../../client/system-clock.js'
import type { Event } from '../../contract/events.js'
import type { EventFilter } from '../input/event-types.js'
import { isAccepted, type Forwarded, type Forwarder } from './forwarder.js'
import { stillThereMs, type CursorFile } from './cursor-file.js'
import type { Report, Summary } from './report.js'
import type { Targets } from './targets.js'

export interface ListenerOptions {
  /** The types to follow; others are passed over. */
  isMeant: EventFilter
  targets: Targets
  forwarder: Forwarder
  /** Undefined where nothing is forwarded: what was printed is no place to go on from. */
  place: CursorFile | undefined
  /** So many on their way at one time. With 1 they arrive in order. */
  concurrency: number
  maxEvents: number
  report: Report
  machine: SystemClock
}

/** How long what is on its way may still take once the end was asked for. */
const drainMs = 2_000

export class Listener {
  readonly #options: ListenerOptions
  readonly #stop = new AbortController()
  readonly #abandon = new AbortController()
  #underWay = 0
  readonly #summary = { delivered: 0, failed: 0, left: 0 }

  constructor(options: ListenerOptions) {
    this.#options = options
    // Each event on its way listens to both.
    setMaxListeners(0, this.#stop.signal, this.#abandon.signal)
  }

  /** Whether something is on its way, or waits for another try. */
  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /** Aborted when nothing more is begun. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** Begins nothing more; what is on its way has two seconds to end. */
  stop(): void {
    if (this.#stop.signal.aborted) return
    this.#stop.abort()
    const { machine } = this.#options
    void machine.sleep(drainMs, this.#abandon.signal).then(
      () => this.#abandon.abort(),
      () => undefined,
    )
  }

  /** Begins nothing more and leaves what is on its way. */
  abandon(): void {
    this.#stop.abort()
    this.#abandon.abort()
  }

  /** Works until it is stopped or has had its number of events. The place is kept whatever comes. */
  async run(batches: AsyncIterable<readonly Event[]>): Promise<Summary> {
    const { concurrency, place, machine } = this.#options
    const began = machine.now()
    const events = this.#wanted(batches)
    const stillThere = setInterval(() => place?.save(), stillThereMs)
    const workers = Array.from({ length: concurrency }, () => this.#work(events))
    try {
      await Promise.all(workers)
    } finally {
      this.stop()
      await Promise.allSettled(workers)
      this.abandon()
      clearInterval(stillThere)
      place?.save(true)
    }
    return { ...this.#summary, lengthMs: machine.now() - began }
  }

  /** The events that are meant, one by one, as many as were asked for. Those passed over are settled in passing. */
  async *#wanted(batches: AsyncIterable<readonly Event[]>): AsyncGenerator<Event> {
    const { isMeant, place, maxEvents } = this.#options
    let given = 0
    for await (const batch of batches) {
      for (const event of batch) {
        if (this.#stop.signal.aborted) return
        const isNew = place?.take(event) ?? true
        if (!isMeant(event.type)) place?.settle(event)
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
    place?.settle(event)
    place?.save()
    const isDelivered = result === event || isAccepted(result as Forwarded)
    if (isDelivered) report.success(result === event ? null : (result as Forwarded).hint)
    this.#summary[isDelivered ? 'delivered' : 'failed']++
    await report.event(result)
  }
}
