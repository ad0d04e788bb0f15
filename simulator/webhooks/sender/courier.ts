/** The courier takes webhooks to their receivers: the only requests the simulator ever sends. */

import { checkAddress } from '../../../src/webhooks/address.js'
import { webhookHeaders } from '../../../src/webhooks/headers.js'
import { isPublicAddress } from '../../../src/webhooks/ranges.js'
import { sign } from '../../../src/webhooks/sign.js'
import type { SystemClock } from '../../kernel/system-clock.js'
import { postWebhook } from './post.js'
import { NetworkFault, faultCodeOf, type NetworkFaultCode } from './network-fault.js'
import { EndpointLimiter } from './endpoint-limiter.js'
import { resolveHost } from './resolver.js'

/** What one try sends, as things stand at that moment. */
export interface WebhookRequest {
  url: string
  /** All headers but the signature. */
  headers: Record<string, string>
  body: Uint8Array
  /** The secrets in force, newest first; asked again just before sending. None: there is nothing to send any more. */
  secrets: () => readonly string[]
  /** What an injected fault changes. */
  tampering?: Tampering
}

/** What an injected fault changes about one attempt. */
export interface Tampering {
  /** Further requests with the same bytes, one after the other. */
  copies?: number
  /** Nothing is sent. */
  drop?: boolean
  corruptSignature?: boolean
  /** The age of the signature. */
  staleMs?: number
}

/** How one try went. */
export interface SendOutcome {
  /** The status of the answer, or null when none came in time. */
  responseStatus: number | null
  /** The beginning of the answer's body; null when there was no answer. */
  responseBody: string | null
  /** From the beginning of the try to the answer's headers, or to the fault; whole milliseconds of the machine's time. */
  durationMs: number
  /** Why there was no answer; null when there was one, whatever its status. */
  error: NetworkFaultCode | null
}

export interface CourierOptions {
  machine: SystemClock
  /** Also goes to `http:` URLs and to this machine. */
  allowLocal: boolean
  /** Keeps nothing of the body of an answer that comes from an address that is not public. */
  hideLocalAnswers?: boolean
  /** False lifts the limit of starts a second. */
  paced?: boolean
  /** How long a receiver may take for its status line and headers, from name resolution on. */
  answerWithinMs?: number
  /** Name servers in place of the system's. */
  nameServers?: readonly string[]
  /** PEM certificates of authorities to trust in place of the system's. */
  authorities?: string
}

/** Specification, Limits: webhook answer time. */
const answerWithinMs = 10_000

/** A name that cannot be looked up this quickly is left to the tries themselves. */
const lookUpWithinMs = 2_000

export class Courier {
  readonly #options: CourierOptions
  readonly #lanes = new Map<string, EndpointLimiter>()
  readonly #underWay = new Map<AbortController, Promise<unknown>>()
  #closed = false

  constructor(options: CourierOptions) {
    this.#options = options
  }

  /**
   * Makes one try when the lane's turn comes, within the limits of one endpoint; lanes never wait for each other.
   * @param lane the endpoint's id.
   * @param prepare called once, when the try is about to begin; null means there is nothing to send any more.
   * @returns how it went, or null when nothing was sent. A fault of the network is an outcome; only `prepare` can make it reject.
   */
  send(lane: string, prepare: () => WebhookRequest | null): Promise<SendOutcome | null> {
    if (this.#closed) return Promise.resolve(null)
    return this.#laneOf(lane).run(async (sent) => {
      const parcel = prepare()
      if (parcel === null) return null
      return this.#attempt(parcel, sent)
    })
  }

  /** Makes one attempt at once: the limits of the endpoint are the caller's to keep. */
  async post(parcel: WebhookRequest): Promise<SendOutcome | null> {
    if (this.#closed) return { responseStatus: null, responseBody: null, durationMs: 0, error: 'interrupted' }
    return this.#attempt(parcel, () => undefined)
  }

  /** Sends the request, and its copies after it. The outcome is that of the first. */
  async #attempt(request: WebhookRequest, sent: () => void): Promise<SendOutcome | null> {
    const { drop = false, copies = 0 } = request.tampering ?? {}
    if (drop) return { responseStatus: null, responseBody: null, durationMs: 0, error: 'connection_reset' }
    let signature: string | undefined
    const signOnce = (secrets: readonly string[]) => (signature ??= this.#sign(request, secrets))
    const sendOnce = () =>
      this.#within(this.#options.answerWithinMs ?? answerWithinMs, (signal) =>
        this.#deliver(request, signOnce, signal, sent),
      )
    const outcome = await sendOnce()
    for (let copy = 0; copy < copies && !this.#closed; copy++) await sendOnce()
    return outcome
  }

  #sign(
    { body, tampering: { corruptSignature = false, staleMs = 0 } = {} }: WebhookRequest,
    secrets: readonly string[],
  ) {
    const signed = corruptSignature ? Buffer.concat([body, Buffer.from(' ')]) : body
    return sign({ body: signed, secrets, at: Math.floor((this.#options.machine.now() - staleMs) / 1000) })
  }

  /** Drops all attempts that wait for their turn. The answer: how many more each endpoint might have started at once. */
  recall(): Map<string, number> {
    return new Map([...this.#lanes].map(([id, lane]) => [id, lane.recall()]))
  }

  /** Counts an attempt that is made elsewhere toward those under way. */
  hold(lane: string, outcome: Promise<unknown>): void {
    this.#laneOf(lane).hold(outcome)
  }

  /** Whether the URL's name leads to no forbidden address. A name that cannot be looked up now is not held against it. */
  async mayReach(url: string): Promise<boolean> {
    const address = checkAddress(url, this.#options)
    if (!address.ok) return false
    if (address.literal !== null) return true
    return this.#within(lookUpWithinMs, (signal) =>
      resolveHost(address.url.hostname, this.#options, signal).then(
        () => true,
        (error: unknown) => faultCodeOf(error) !== 'blocked_address',
      ),
    )
  }

  /** Hangs up on every receiver and lets go of all that waits. Tries under way end `interrupted`. */
  async close(): Promise<void> {
    this.#closed = true
    for (const lane of this.#lanes.values()) lane.close()
    const ends = [...this.#underWay.values()]
    for (const call of this.#underWay.keys()) call.abort('interrupted' satisfies NetworkFaultCode)
    await Promise.allSettled(ends)
  }

  async #deliver(
    parcel: WebhookRequest,
    signed: (secrets: readonly string[]) => string,
    signal: AbortSignal,
    sent: () => void,
  ): Promise<SendOutcome | null> {
    const { machine, authorities, hideLocalAnswers = false } = this.#options
    const began = machine.monotonic()
    const outcome = { responseStatus: null, responseBody: null, error: null }
    const elapsedMs = () => Math.round(machine.monotonic() - began)
    try {
      const { url, literal } = this.#checked(parcel.url)
      const addresses = literal === null ? await resolveHost(url.hostname, this.#options, signal) : []
      const { body } = parcel
      const secrets = parcel.secrets()
      if (secrets.length === 0) return null
      const headers = { ...parcel.headers, [webhookHeaders.signature]: signed(secrets) }
      const reached = literal === null ? addresses.map(({ address }) => address) : [literal]
      const isHidden = hideLocalAnswers && !reached.every(isPublicAddress)
      let durationMs = 0
      const answered = () => ((durationMs = elapsedMs()), !isHidden)
      const post = { url, addresses, headers, body, authorities }
      const { status, text } = await postWebhook(post, { signal, connected: sent, answered })
      return { ...outcome, responseStatus: status, responseBody: text, durationMs }
    } catch (error) {
      const word = signal.aborted ? (signal.reason as NetworkFaultCode) : faultCodeOf(error)
      return { ...outcome, error: word, durationMs: elapsedMs() }
    }
  }

  #checked(url: string) {
    const address = checkAddress(url, this.#options)
    if (!address.ok) throw new NetworkFault('blocked_address')
    return address
  }

  /** Runs the task with a signal that hangs up when the time is over and when the courier closes. */
  async #within<T>(ms: number, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const call = new AbortController()
    const timer = this.#options.machine.after(ms, () => call.abort('timeout' satisfies NetworkFaultCode))
    const running = task(call.signal)
    this.#underWay.set(call, running)
    try {
      return await running
    } finally {
      timer.cancel()
      this.#underWay.delete(call)
    }
  }

  #laneOf(id: string): EndpointLimiter {
    const known = this.#lanes.get(id)
    if (known) return known
    for (const [other, lane] of this.#lanes) if (lane.atRest) this.#lanes.delete(other)
    const lane = new EndpointLimiter(this.#options.machine, this.#options.paced)
    this.#lanes.set(id, lane)
    return lane
  }
}
