/** Runs the conformance checks against a deployment. */
import { randomBytes } from 'node:crypto'
import type { Key } from '../client/authorization.js'
import { ApiError, ConnectionError, NotTheApiError } from '../client/errors.js'
import { readReply } from '../client/reply.js'
import { systemClock, type SystemClock } from '../client/system-clock.js'
import { permissions } from '../contract/permissions.js'
import { isLoopbackHost } from '../url.js'
import type { Check } from './check.js'
import { checks as allChecks } from './checks/all.js'
import { Cleanup } from './cleanup.js'
import { DepartureError, NotAskableError, NotPermittedError } from './departure.js'
import type { Group } from './groups.js'
import { MadeUp } from './made-up.js'
import { Masks } from './report/mask.js'
import { Pace } from './requests/pace.js'
import type { Recorded } from './requests/recorded.js'
import { Requester } from './requests/requester.js'
import type { CheckResult, ConformanceResult, Verdict } from './report/result.js'
import { Session } from './session.js'
import { ShapeLog } from './shapes.js'
import { Stop } from './stop.js'

export interface ConformanceOptions {
  /** Base URL of the API, without a trailing slash. */
  baseUrl: string
  /** A test key. A live key needs `live`. */
  key: Key
  /** Groups of checks to run; all by default. */
  groups?: readonly Group[] | undefined
  /** Also run the checks that take minutes. */
  slow?: boolean
  live?: boolean
  /** Null for no limit. By default 120, and no limit for a deployment on this machine that enforces none. */
  requestsPerMinute?: number | null | undefined
  /** Id of the campaign for leads; the first running one by default. */
  campaign?: string | undefined
  /** Public URL that leads to the local receiver. */
  receiver?: string | undefined
  /** Port of the local receiver; any free one by default. */
  listen?: number | undefined
  userAgent?: string
  /** Milliseconds for one whole answer; 60,000 by default. */
  totalMs?: number | undefined
  /** Marks names and numbers that the run makes up; random by default. */
  runId?: string
  clock?: SystemClock
  /** Ends the run early. It cleans up and returns what is known. */
  signal?: AbortSignal | undefined
  onCheck?: (result: CheckResult, done: number, total: number) => void
  onWait?: (ms: number, why: string) => void
  /** Receives each exchange with the check that it belongs to. */
  onExchange?: (check: Check | null, exchange: Recorded) => void
}

/** The key is live, or its mode is not known, and `live` is not set. */
export class LiveKeyError extends Error {
  override readonly name = 'LiveKeyError'
}

/**
 * Throws `ApiError` if the key is refused, `ConnectionError` or `NotTheApiError` if the API does not answer at the
 * address, and `LiveKeyError`.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceResult> {
  return await new Run(options).run()
}

const usualPerMinute = 120
/** Above this rate, a run also makes the checks that others repeat in part. */
const quickPerMinute = 300

class Run {
  readonly #options: ConformanceOptions
  readonly #clock: SystemClock
  readonly #stop: Stop
  readonly #secrets: Set<string>
  readonly #masks: Masks
  readonly #cleanup = new Cleanup()
  readonly #shapes: ShapeLog
  readonly #results: CheckResult[] = []
  readonly #madeUp: MadeUp
  #check: Check | null = null
  #last: Recorded | undefined

  constructor(options: ConformanceOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#stop = new Stop(options.signal)
    this.#secrets = new Set([options.key.secret])
    this.#masks = new Masks(this.#secrets)
    this.#shapes = new ShapeLog(new URL(options.baseUrl).pathname)
    this.#madeUp = new MadeUp(options.runId ?? randomBytes(4).toString('hex'))
  }

  async run(): Promise<ConformanceResult> {
    const { groups, slow = false } = this.#options
    const first = this.#requester(null)
    const { mode, isLimited } = await this.#firstRead(first)
    const perMinute = this.#perMinute(isLimited)
    const requester = this.#requester(perMinute)
    requester.options.pace.drain(first.requests)
    const session = this.#session(requester, slow, mode === 'live')
    const wanted = allChecks.filter(({ group }) => groups?.includes(group) ?? true)
    const takesExtras = slow || perMinute === null || perMinute > quickPerMinute
    const chosen = wanted.filter((check) => (slow || !check.slow) && (takesExtras || !check.extra))
    let notRemoved: string[] = []
    try {
      for (const check of chosen) await this.#runCheck(check, session, chosen.length)
    } finally {
      this.#check = null
      this.#stop.allowCleanup()
      notRemoved = await this.#cleanup.run()
    }
    for (const result of this.#shapes.results(this.#masks, groups)) this.#report(result, this.#results.length + 1)
    const campaign = await session.campaign().catch(() => null)
    return {
      base_url: this.#options.baseUrl,
      mode,
      checks: this.#results,
      summary: count(this.#results),
      left_behind: {
        leads: session.savedLeads.size,
        campaign_id: session.savedLeads.size > 0 ? (campaign?.id ?? null) : null,
        not_removed: notRemoved,
      },
      left_out: wanted.length - chosen.length,
      requests: first.requests + requester.requests,
      interrupted: this.#stop.isRequested,
    }
  }

  /** One read that shows whether the key works and which mode it has. */
  async #firstRead(requester: Requester): Promise<{ mode: 'live' | 'test'; isLimited: boolean }> {
    const { key, live = false } = this.#options
    const named = modeOf(key)
    if (named === 'live' && !live) throw new LiveKeyError('The key is live.')
    const { exchange, data } = await requester.send('GET', '/campaigns?limit=1')
    const { status, response } = exchange
    try {
      readReply(
        { status, headers: response.headers, text: response.text },
        new URL(this.#options.baseUrl).origin,
        this.#clock.now(),
      )
    } catch (error) {
      // A key without this permission can still ask other questions. An unreadable 404 or 500 is not the API.
      if (!(error instanceof ApiError) || error.status === 401) throw error
    }
    const item = Array.isArray(data) ? (data[0] as { livemode?: unknown } | undefined) : undefined
    const seen = typeof item?.livemode === 'boolean' ? (item.livemode ? 'live' : 'test') : named
    if (seen === undefined && !live) throw new LiveKeyError('The mode of the key is not known.')
    if (seen === 'live' && !live) throw new LiveKeyError('The key is live.')
    return { mode: seen ?? 'live', isLimited: response.headers['ratelimit-limit'] !== undefined }
  }

  #perMinute(isLimited: boolean): number | null {
    const { requestsPerMinute, baseUrl } = this.#options
    if (requestsPerMinute !== undefined) return requestsPerMinute
    return !isLimited && isLoopbackHost(new URL(baseUrl).hostname) ? null : usualPerMinute
  }

  #requester(perMinute: number | null): Requester {
    const { baseUrl, key, userAgent = 'svc', totalMs, onWait = () => {} } = this.#options
    const pace = new Pace({ perMinute, clock: this.#clock, stop: this.#stop, onWait })
    return new Requester({
      baseUrl,
      key,
      userAgent,
      pace,
      clock: this.#clock,
      stop: this.#stop,
      totalMs,
      onExchange: (exchange) => this.#record(exchange),
    })
  }

  #session(requester: Requester, slow: boolean, isLive: boolean): Session {
    const { campaign, receiver, listen } = this.#options
    return new Session({
      requester,
      cleanup: this.#cleanup,
      madeUp: this.#madeUp,
      campaign,
      receiver: { url: receiver, port: listen },
      slow,
      isLive,
      addSecret: (secret) => this.#secrets.add(secret),
    })
  }

  #record(exchange: Recorded): void {
    this.#last = exchange
    this.#shapes.add(exchange)
    this.#options.onExchange?.(this.#check, exchange)
  }

  async #runCheck(check: Check, session: Session, total: number): Promise<void> {
    this.#check = check
    this.#last = undefined
    const { rule, group, title } = check
    const found = this.#stop.isRequested
      ? ({ result: 'not_asked', reason: 'the run was interrupted' } as const)
      : await this.#ask(check, session)
    this.#report({ rule, group, title, ...found }, total)
  }

  async #ask(check: Check, session: Session): Promise<Omit<CheckResult, 'rule' | 'group' | 'title'>> {
    try {
      for (const permission of check.needs ?? []) {
        if (!(await session.can(permission))) return { result: 'not_asked', reason: `the key lacks ${permission}` }
      }
      await check.run(session)
      return { result: 'holds' }
    } catch (error) {
      return (await this.#wronglyRefused(error, session)) ?? this.#explain(error)
    }
  }

  /** A departure if the key has the permission for which it was refused (rule K3). */
  async #wronglyRefused(error: unknown, session: Session) {
    if (!(error instanceof NotPermittedError) || this.#stop.isRequested) return undefined
    const permission = permissions.find((one) => one === error.permission)
    if (permission === undefined || !(await session.can(permission).catch(() => false))) return undefined
    return this.#departure(`no permission_denied, because the key has ${permission}`, error.exchange)
  }

  #explain(error: unknown): Omit<CheckResult, 'rule' | 'group' | 'title'> {
    if (this.#stop.isRequested) return { result: 'not_asked', reason: 'the run was interrupted' }
    if (error instanceof NotAskableError) return { result: 'not_asked', reason: this.#masks.text(error.reason) }
    if (error instanceof DepartureError) return this.#departure(error.expected, error.exchange)
    if (error instanceof ConnectionError && error.code === 'ECONNREFUSED') throw error
    if (error instanceof ConnectionError || error instanceof NotTheApiError)
      return { ...this.#departure('an answer', undefined), reason: this.#masks.text(error.message) }
    if (error instanceof TypeError) return this.#departure('a reply with the fields of the contract', this.#last)
    throw error
  }

  #departure(expected: string, exchange: Recorded | undefined): Omit<CheckResult, 'rule' | 'group' | 'title'> {
    const shown = exchange && { request: this.#masks.request(exchange), response: this.#masks.response(exchange) }
    return { result: 'departs', expected: this.#masks.text(expected), ...shown }
  }

  #report(result: CheckResult, total: number): void {
    this.#results.push(result)
    this.#options.onCheck?.(result, this.#results.length, total)
  }
}

function modeOf({ id = '', secret }: Key): 'live' | 'test' | undefined {
  const text = `${id} ${secret}`
  if (/\b(?:ck|cs)_live_/.test(text)) return 'live'
  return /\b(?:ck|cs)_test_/.test(text) ? 'test' : undefined
}

function count(results: readonly CheckResult[]): Record<Verdict, number> {
  const counts = { holds: 0, departs: 0, not_asked: 0 }
  for (const { result } of results) counts[result]++
  return counts
}
