/**
 * A model of deliveries in plain lists: endpoints, their receivers, and time. It computes what must become of every
 * delivery.
 */

/** Attempts are due these minutes after the first (rule W6). */
const scheduleMinutes = [0, 1, 5, 30, 120, 360, 720]
const dayMs = 86_400_000

/** How a receiver answers every request. */
export type Manner = 'takes' | 'refuses' | 'hangs'
export const answers = { takes: 204, refuses: 500, hangs: null } as const

export interface ModelDelivery {
  event_id: string
  event_type: string
  live: boolean
  resentFrom: ModelDelivery | null
  created: number
  status: 'pending' | 'sent' | 'failed' | 'gave_up' | 'skipped_paused'
  attempts: number
  first: number | null
  next: number | null
  last: number | null
  response: number | null
  /** Attempts that the receiver must have seen, with time and number. */
  tries: { at: number; attempt: number }[]
  /** The program was killed while the attempt was due, so it may have been made twice. */
  mayRepeat: boolean
  /**
   * Time at which another delivery paused the endpoint while this one was also due: it may have been attempted or
   * not.
   */
  unsureAt: number | null
}

export interface ModelEndpoint {
  id: string
  mode: 'live' | 'test'
  receiver: number
  events: readonly string[]
  campaign_ids: readonly string[] | null
  /** Newest first. The older secret also signs until `until` (rule W4). */
  secrets: [string] | [string, string]
  until: number | null
  status: 'active' | 'paused'
  failing_since: number | null
  paused_at: number | null
  last_success_at: number | null
  deliveries: ModelDelivery[]
}

const isOpen = ({ status }: ModelDelivery) => status === 'pending' || status === 'failed'

export class DeliveryModel {
  readonly endpoints: ModelEndpoint[] = []

  constructor(
    public now: number,
    readonly manners: readonly { manner: Manner }[],
  ) {}

  create(
    words: Pick<ModelEndpoint, 'id' | 'mode' | 'receiver' | 'events' | 'campaign_ids'> & { secret: string },
  ): void {
    const { secret, ...rest } = words
    const fresh = { status: 'active', failing_since: null, paused_at: null, last_success_at: null } as const
    this.endpoints.push({ ...rest, ...fresh, secrets: [secret], until: null, deliveries: [] })
  }

  delete(endpoint: ModelEndpoint): void {
    this.endpoints.splice(this.endpoints.indexOf(endpoint), 1)
  }

  roll(endpoint: ModelEndpoint, secret: string, graceHours: number): void {
    endpoint.secrets = graceHours > 0 ? [secret, endpoint.secrets[0]] : [secret]
    endpoint.until = graceHours > 0 ? this.now + graceHours * 3_600_000 : null
  }

  secretsAt({ secrets, until }: ModelEndpoint, at: number): readonly string[] {
    return until !== null && at < until ? secrets : secrets.slice(0, 1)
  }

  /** An event happened: creates a delivery for each endpoint that subscribes to it now. */
  happen(event: { id: string; type: string; campaign: string; mode: 'live' | 'test' }): void {
    for (const endpoint of this.endpoints) {
      const { mode, events, campaign_ids } = endpoint
      if (mode !== event.mode || !events.includes(event.type)) continue
      if (campaign_ids && !campaign_ids.includes(event.campaign)) continue
      this.deliver(endpoint, { event_id: event.id, event_type: event.type, live: mode === 'live' })
    }
  }

  deliver(
    endpoint: ModelEndpoint,
    what: Pick<ModelDelivery, 'event_id' | 'event_type' | 'live'>,
    resentFrom: ModelDelivery | null = null,
  ): void {
    const skipped = endpoint.status === 'paused'
    endpoint.deliveries.push({
      ...what,
      resentFrom,
      created: this.now,
      status: skipped ? 'skipped_paused' : 'pending',
      attempts: 0,
      first: null,
      next: skipped ? null : this.now,
      last: null,
      response: null,
      tries: [],
      mayRepeat: false,
      unsureAt: null,
    })
  }

  pause(endpoint: ModelEndpoint): void {
    if (endpoint.status === 'paused') return
    Object.assign(endpoint, { status: 'paused', paused_at: this.now })
    for (const delivery of endpoint.deliveries.filter(isOpen)) {
      Object.assign(delivery, { status: 'skipped_paused', next: null })
    }
  }

  resume(endpoint: ModelEndpoint): void {
    if (endpoint.status === 'active') return
    Object.assign(endpoint, { status: 'active', paused_at: null, failing_since: null })
  }

  /** Sends skipped deliveries (rule W9) and returns their number. */
  sendSkipped({ deliveries }: ModelEndpoint): number {
    const skipped = deliveries.filter(({ status }) => status === 'skipped_paused')
    for (const delivery of skipped) {
      Object.assign(delivery, { status: 'pending', attempts: 0, first: null, next: this.now })
    }
    return skipped.length
  }

  /** Deliveries whose next attempt is due. */
  due(endpoint: ModelEndpoint): ModelDelivery[] {
    return endpoint.deliveries.filter(({ next }) => next !== null && next <= this.now)
  }

  /** Advances time and makes every due attempt at its time. */
  advance(to: number): void {
    for (let at = this.#nextUntil(to); at !== null; at = this.#nextUntil(to)) {
      this.now = Math.max(this.now, at)
      for (const endpoint of this.endpoints) this.#tryAll(endpoint)
    }
    this.now = to
  }

  #nextUntil(to: number): number | null {
    const times = this.endpoints.flatMap(({ deliveries }) => deliveries.flatMap(({ next }) => next ?? []))
    const next = Math.min(...times)
    return next <= to ? next : null
  }

  #tryAll(endpoint: ModelEndpoint): void {
    const due = this.due(endpoint)
    const response = answers[this.manners[endpoint.receiver]?.manner ?? 'takes']
    const failing = response === null || response >= 300
    if (due.length > 0 && failing) endpoint.failing_since ??= this.now
    if (due.length > 0 && failing && this.now - (endpoint.failing_since ?? 0) >= dayMs) {
      this.pause(endpoint)
      for (const delivery of due) delivery.unsureAt = this.now
      return
    }
    if (due.length > 0 && !failing) Object.assign(endpoint, { last_success_at: this.now, failing_since: null })
    for (const delivery of due) this.#try(delivery, response)
  }

  #try(delivery: ModelDelivery, response: number | null): void {
    const { now } = this
    const attempts = delivery.attempts + 1
    const first = delivery.first ?? now
    delivery.tries.push({ at: now, attempt: attempts })
    Object.assign(delivery, { attempts, first, last: now, response, next: null })
    const minutes = scheduleMinutes[attempts]
    if (response === 204) delivery.status = 'sent'
    else if (minutes === undefined) delivery.status = 'gave_up'
    else Object.assign(delivery, { status: 'failed', next: first + minutes * 60_000 })
  }

  /** Takes over a result that the model leaves open, after checking that it is one of the allowed ones. */
  adopt(delivery: ModelDelivery, seen: { status: string; attempts: number; response_status: number | null }): boolean {
    const at = delivery.unsureAt
    if (at === null) return true
    delivery.unsureAt = null
    if (seen.attempts === delivery.attempts) return seen.status === 'skipped_paused'
    if (seen.attempts !== delivery.attempts + 1) return false
    const gaveUp = seen.status === 'gave_up' && seen.attempts === scheduleMinutes.length
    delivery.tries.push({ at, attempt: seen.attempts })
    Object.assign(delivery, {
      attempts: seen.attempts,
      first: delivery.first ?? at,
      last: at,
      response: seen.response_status,
    })
    if (gaveUp) delivery.status = 'gave_up'
    return gaveUp || seen.status === 'skipped_paused'
  }
}
