/** Sends webhooks to their receivers. The simulator makes no other outgoing requests. */

import { checkAddress } from '../../../src/webhooks/address.js'
import { webhookHeaders } from '../../../src/webhooks/headers.js'
import { isPublicAddress } from '../../../src/webhooks/ranges.js'
import { sign } from '../../../src/webhooks/sign.js'
import type { SystemClock } from '../../kernel/system-clock.js'
import { postWebhook } from './post.js'
import { NetworkFault, faultCodeOf, type NetworkFaultCode } from './network-fault.js'
import { EndpointLimiter } from './endpoint-limiter.js'
import { resolveHost } from './resolver.js'

/** The content of one attempt, read just before it begins. */
export interface WebhookRequest {
  url: string
  /** All headers except the signature. */
  headers: Record<string, string>
  body: Uint8Array
  /**
   * The endpoint's current secrets, newest first, read again just before sending. Empty if there is nothing left to
   * send.
   */
  secrets: () => readonly string[]
  /** What an injected fault changes. */
  tampering?: Tampering
}

/** What an injected fault changes about one attempt. */
export interface Tampering {
  /** Further requests with the same bytes, one after the other. */
  copies?: number
  /** Sends nothing. */
  drop?: boolean
  corruptSignature?: boolean
  /** Age of the signature. */
  staleMs?: number
}

/** The result of one attempt. */
export interface SendOutcome {
  /** Status of the answer; null if none came in time. */
  responseStatus: number | null
  /** Beginning of the answer's body; null without an answer (rule W12). */
  responseBody: string | null
  /** From the start of the attempt to the answer's headers or the failure, in whole milliseconds of system time. */
  durationMs: number
  /** Why there was no answer; null with any answer. */
  error: NetworkFaultCode | null
}

export interface CourierOptions {
  machine: SystemClock
  /** Also sends to `http:` URLs and loopback addresses. */
  allowLocal: boolean
  /** Does not record answer bodies from addresses that are not public. */
  hideLocalAnswers?: boolean
  /** False removes the limit on starts per second. */
  paced?: boolean
  /** Time for the status line and headers, counted from name resolution on. */
  answerWithinMs?: number
  /** Name servers to use instead of the system's. */
  nameServers?: readonly string[]
  /** PEM certificates of authorities to trust instead of the system's. */
  authorities?: string
}

/** Answer time of a receiver (rule W2). */
const answerWithinMs = 10_000

/** A name that takes longer to resolve is checked at the attempts only. */
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
   * Makes one attempt within the limits of its endpoint (rule W7). Endpoints never wait for each other.
   * @param lane the endpoint's id.
   * @param prepare called once when the attempt begins. Null means that there is nothing left to send.
   * @returns the result, or null if nothing was sent. A network failure is a result; only an error of `prepare`
   * rejects.
   */
  send(lane: string, prepare: () => WebhookRequest | null): Promise<SendOutcome | null> {
    if (this.#closed) return Promise.resolve(null)
    return this.#laneOf(lane).run(async (sent) => {
      const request = prepare()
      if (request === null) return null
      return this.#attempt(request, sent)
    })
  }

  /** Makes one attempt at once. The caller keeps the endpoint's limits. */
  async post(request: WebhookRequest): Promise<SendOutcome | null> {
    if (this.#closed) return { responseStatus: null, responseBody: null, durationMs: 0, error: 'interrupted' }
    return this.#attempt(request, () => undefined)
  }

  /** Sends the request and then its copies. Returns the result of the first. */
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

  /** Drops all waiting attempts. Returns for each endpoint how many more it could have started at once. */
  recall(): Map<string, number> {
    return new Map([...this.#lanes].map(([id, lane]) => [id, lane.recall()]))
  }

  /** Counts an attempt that is made elsewhere as under way. */
  hold(lane: string, outcome: Promise<unknown>): void {
    this.#laneOf(lane).hold(outcome)
  }

  /**
   * Whether the URL's name resolves to no forbidden address (rule W1). A name that does not resolve now is accepted.
   */
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

  /** Aborts all attempts and drops those that wait. Running attempts end as `interrupted`. */
  async close(): Promise<void> {
    this.#closed = true
    for (const lane of this.#lanes.values()) lane.close()
    const ends = [...this.#underWay.values()]
    for (const call of this.#underWay.keys()) call.abort('interrupted' satisfies NetworkFaultCode)
    await Promise.allSettled(ends)
  }

  async #deliver(
    request: WebhookRequest,
    signed: (secrets: readonly string[]) => string,
    signal: AbortSignal,
    sent: () => void,
  ): Promise<SendOutcome | null> {
    const { machine, authorities, hideLocalAnswers = false } = this.#options
    const began = machine.monotonic()
    const outcome = { responseStatus: null, responseBody: null, error: null }
    const elapsedMs = () => Math.round(machine.monotonic() - began)
    try {
      const { url, literal } = this.#checked(request.url)
      const addresses = literal === null ? await resolveHost(url.hostname, this.#options, signal) : []
      const { body } = request
      const secrets = request.secrets()
      if (secrets.length === 0) return null
      const headers = { ...request.headers, [webhookHeaders.signature]: signed(secrets) }
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

  /** Runs the task with a signal that is aborted after `ms` and when the courier closes. */
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
