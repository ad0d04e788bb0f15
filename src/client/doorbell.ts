/** Rings when something happens at a simulator: its stream, of which no event is taken. A service without one never rings. */
import { readEventStream } from './event-stream.js'
import { sendRequest } from './http.js'
import type { SystemClock } from './system-clock.js'

export interface DoorbellOptions {
  /** Of the API; the stream is at the same origin. */
  baseUrl: string
  /** Of this mode alone. */
  mode?: 'live' | 'test' | undefined
  machine: SystemClock
  /** Its abort takes the bell away. */
  signal: AbortSignal
}

/** A simulator says every 15 seconds that it is still there. */
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

  /** True while it would ring. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Resolves when it is known whether there is one, at the latest after so long. */
  isKnown(withinMs: number): Promise<void> {
    return this.#sleep(withinMs, (wake) => void this.#verdict.then(wake))
  }

  /**
   * Where the simulator has another world since this was asked last, reset or put back from a snapshot: the ids of events
   * it had from the start, the newest of every kind among them.
   */
  takeReplacement(): readonly string[] | undefined {
    const replacement = this.#replacement
    this.#replacement = undefined
    return replacement
  }

  /** Resolves when it rings, after so long, or when the bell is taken away; at once where it rang since the last time. */
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

  /** Hears the stream for as long as there is one. A change of the line rings too: something may have happened unheard. */
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
          if (event === 'world.replaced') this.#replacement = idsIn(data)
          this.#ring()
        }
      } catch {
        // Whether the service itself can be reached is for its requests to tell.
      }
      if (this.#isOpen) this.#ring()
      this.#isOpen = false
      await machine.sleep(againAfterMs, signal).catch(() => undefined)
    }
  }

  /** Undefined where something answers that has no stream for us. No key goes along. */
  async #open(): Promise<AsyncIterable<Buffer> | undefined> {
    const { baseUrl, mode, signal } = this.#options
    const url = new URL('/_sim/stream?types=event,world', baseUrl)
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

/** The ids of the events a new world has; none where the message holds no list of them. */
function idsIn(data: unknown): string[] {
  const { newest_events: ids } = data as { newest_events?: unknown }
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
