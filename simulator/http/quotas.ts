/** Rate limits of keys and organizations, by the system clock (rules L1 to L4). */
import { ApiError } from '../../src/contract/errors/error-codes.js'
import type { ApiKey } from '../model/api-key.js'

/** The values of the RateLimit headers (rule C7). */
export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until the next clock minute. */
  resetSeconds: number
}

interface Usage {
  running: number
  /** The clock minute that `requests` counts. */
  minute: number
  requests: number
  /** Tokens left in the burst bucket, and when they were counted. */
  tokens: number
  tokensAt: number
  /** New leads of the last 60 seconds, by time. */
  leads: { at: number; count: number }[]
}

const minuteMs = 60_000
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

export class Quotas {
  readonly #keys = new Map<number, Usage>()
  readonly #organizations = new Map<number, { minute: number; requests: number }>()

  /** With `enforced` false, nothing is limited and no header is sent. Everything else stays the same. */
  constructor(
    readonly enforced: boolean,
    readonly now: () => number,
  ) {}

  /** Clears all counts, for a new world. */
  reset(): void {
    this.#keys.clear()
    this.#organizations.clear()
  }

  #usage(key: ApiKey, now: number): Usage {
    let usage = this.#keys.get(key.n)
    if (!usage) {
      usage = { running: 0, minute: 0, requests: 0, tokens: key.limits.burst, tokensAt: now, leads: [] }
      this.#keys.set(key.n, usage)
    }
    return usage
  }

  /**
   * Counts a running request of the key (rule L1). Returns the function that ends it, which may be called more than
   * once.
   */
  enter(key: ApiKey): () => void {
    if (!this.enforced) return () => {}
    const usage = this.#usage(key, this.now())
    const most = key.limits.concurrent_requests
    if (usage.running >= most) {
      const message = `More than ${most} requests of this key are running.`
      throw new ApiError('too_many_concurrent_requests', message, { retry_after_seconds: 1 })
    }
    usage.running++
    let inside = true
    return () => {
      if (inside) usage.running--
      inside = false
    }
  }

  /** What the key has left now; null if limits are not enforced. */
  allowance(key: ApiKey, organizationPerMinute: number): Allowance | null {
    if (!this.enforced) return null
    const { usage, plan, toNextMinuteMs } = this.#minute(key)
    const resetSeconds = wholeSeconds(toNextMinuteMs)
    const left = (limit: number, used: number) => ({ limit, remaining: Math.max(0, limit - used), resetSeconds })
    const ofKey = left(key.limits.requests_per_minute, usage.requests)
    const ofPlan = left(organizationPerMinute, plan.requests)
    const planIsTighter =
      ofPlan.remaining < ofKey.remaining || (ofPlan.remaining === ofKey.remaining && ofPlan.limit < ofKey.limit)
    return planIsTighter ? ofPlan : ofKey
  }

  /**
   * Counts a request against the organization's minute, the key's minute and the key's burst (rule L2). Refused
   * requests do not count.
   */
  request(key: ApiKey, organizationPerMinute: number): void {
    if (!this.enforced) return
    const { now, usage, plan, toNextMinuteMs } = this.#minute(key)
    const { requests_per_minute: perMinute, burst } = key.limits
    const refillMs = minuteMs / perMinute
    usage.tokens = Math.min(burst, usage.tokens + Math.max(0, now - usage.tokensAt) / refillMs)
    usage.tokensAt = now
    const wait = Math.max(
      plan.requests >= organizationPerMinute ? toNextMinuteMs : 0,
      usage.requests >= perMinute ? toNextMinuteMs : 0,
      usage.tokens < 1 ? (1 - usage.tokens) * refillMs : 0,
    )
    if (wait > 0) {
      const message = 'Too many requests a minute for the key or the plan.'
      throw new ApiError('rate_limited', message, { retry_after_seconds: wholeSeconds(wait) })
    }
    usage.requests++
    usage.tokens--
    plan.requests++
  }

  /** The counts of the current clock minute. */
  #minute(key: ApiKey) {
    const now = this.now()
    const minute = Math.floor(now / minuteMs)
    const usage = this.#usage(key, now)
    const plan = this.#organizations.get(key.organization) ?? { minute, requests: 0 }
    this.#organizations.set(key.organization, plan)
    for (const count of [usage, plan]) if (count.minute !== minute) Object.assign(count, { minute, requests: 0 })
    return { now, usage, plan, toNextMinuteMs: (minute + 1) * minuteMs - now }
  }

  /** Counts new leads of the last 60 seconds (rule L3). Leads that exceed the limit are refused together. */
  newLeads(key: ApiKey, count: number): void {
    if (!this.enforced || count === 0) return
    const now = this.now()
    const usage = this.#usage(key, now)
    usage.leads = usage.leads.filter(({ at }) => at > now - minuteMs)
    const most = key.limits.leads_per_minute
    let excess = usage.leads.reduce((sum, lead) => sum + lead.count, 0) + count - most
    if (excess > 0) {
      // The wait until enough counted leads are older than a minute.
      const freed = usage.leads.find((lead) => (excess -= lead.count) <= 0)
      const wait = freed ? freed.at + minuteMs - now : minuteMs
      const message = `More than ${most} new leads in 60 seconds.`
      throw new ApiError('lead_rate_limited', message, { retry_after_seconds: wholeSeconds(wait) })
    }
    usage.leads.push({ at: now, count })
  }
}
