/**
 * Wakes a waiting command when something happens in a simulator. It listens to the control event stream but uses no
 * event of it. A service without that stream never wakes it.
 */
import { readEventStream } from './event-stream.js'
import { simulatorRoot } from '../url.js'
import { sendRequest } from './http.js'
import type { SystemClock } from './system-clock.js'

export interface DoorbellOptions {
  /** The API's base address. The stream is found next to it. */
  baseUrl: string
  /** Listens for this mode only. */
  mode?: 'live' | 'test' | undefined
  machine: SystemClock
  /** Aborting it stops the listening. */
  signal: AbortSignal
}

/** Longest silence of the stream. A simulator sends a keep-alive every 15 seconds. */
const silenceMs = 40_000
const againAfterMs = 500

export class Doorbell {
  readonly #options: DoorbellOptions
  #isOpen = false
  #hasRung = false
  #wake: (() => void) | undefined
  #replacement: readonly string[] | undefined
  readonly #verdict: Promise<void>

  private constructor(options: DoorbellOptions) {
    this.#options = options
    this.#verdict = new Promise((resolve) => void this.#listen(resolve).finally(resolve))
  }

  static listen(options: DoorbellOptions): Doorbell {
    return new Doorbell(options)
  }

  /** True while the stream is connected. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Resolves once it is known whether the service has a stream, after `withinMs` at the latest. */
  isKnown(withinMs: number): Promise<void> {
    return this.#sleep(withinMs, (wake) => void this.#verdict.then(wake))
  }

  /**
   * If the simulator's world was reset or restored since the last call: the ids of the events that the new world
   * started with, including the newest of each kind. Undefined otherwise.
   */
  takeReplacement(): readonly string[] | undefined {
    const replacement = this.#replacement
    this.#replacement = undefined
    return replacement
  }

  /**
   * Resolves on the next ring, after `ms`, or when listening is stopped. Resolves at once if it rang since the last
   * call.
   */
  async wait(ms: number): Promise<void> {
    if (!this.#hasRung) await this.#sleep(ms, (wake) => (this.#wake = wake))
    this.#hasRung = false
  }

  async #sleep(ms: number, wakes: (wake: () => void) => void): Promise<void> {
    const { machine, signal } = this.#options
    if (signal.aborted) return
    const woken = new AbortController()
    const wake = () => woken.abort()
    signal.addEventListener('abort', wake)
    wakes(wake)
    await machine.sleep(ms, woken.signal).catch(() => undefined)
    signal.removeEventListener('abort', wake)
  }

  #ring(): void {
    this.#hasRung = true
    this.#wake?.()
  }

  /**
   * Listens as long as the service has a stream. A dropped or new connection also rings, because events may have been
   * missed.
   */
  async #listen(known: () => void): Promise<void> {
    const { machine, signal } = this.#options
    while (!signal.aborted) {
      try {
        const parts = await this.#open()
        if (!parts) return
        this.#isOpen = true
        known()
        this.#ring()
        for await (const { event, data } of readEventStream(parts)) {
          if (event === 'world.replaced') this.#replacement = idsIn(data) ?? this.#replacement
          this.#ring()
        }
      } catch {
        // The commands' own requests report an unreachable service.
      }
      if (this.#isOpen) this.#ring()
      this.#isOpen = false
      await machine.sleep(againAfterMs, signal).catch(() => undefined)
    }
  }

  /** Undefined if the answer is not an event stream. Sends no key. */
  async #open(): Promise<AsyncIterable<Buffer> | undefined> {
    const { baseUrl, mode, signal } = this.#options
    const url = new URL(`${simulatorRoot(new URL(baseUrl))}/_sim/stream?types=event,world`)
    if (mode) url.searchParams.set('mode', mode)
    const headers = { accept: 'text/event-stream' }
    const answer = await sendRequest(url, { method: 'GET', headers, signal, timeoutMs: silenceMs })
    const { status, body } = answer
    if (status === 200 && String(answer.headers['content-type']).startsWith('text/event-stream')) return body
    body.once('error', () => undefined).destroy()
    if (status >= 500) throw new Error(`the stream answered ${status}`)
    return undefined
  }
}

/** The ids of the events in a new world. Undefined if the message has no such list. */
function idsIn(data: unknown): string[] | undefined {
  const { newest_events: ids } = data as { newest_events?: unknown }
  return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined
}
