/** Runs the importer against a model of the service, without a program, a network or real time. */
import { ApiError } from '../../../src/client/errors.js'
import type { SystemClock } from '../../../src/client/system-clock.js'
import { Importer } from '../../../src/cli/import/importer.js'
import { initialProgress, type Progress } from '../../../src/cli/import/journal.js'
import type { RawRow } from '../../../src/cli/import/rows.js'
import type { Delivered, ItemSender } from '../../../src/cli/import/target.js'
import { ApiError as ServiceError } from '../../../src/contract/errors/error-codes.js'
import { Quotas } from '../../../simulator/http/quotas.js'
import type { ApiKey } from '../../../simulator/model/api-key.js'
import type { LeadLimiter } from '../servers/lead-limiters.js'

/** A clock that advances at once when it is waited on. */
export class QuickMachine implements SystemClock {
  wall = Date.UTC(2026, 9, 1)
  now(): number {
    return Math.floor(this.wall)
  }
  random(): number {
    return 0.5
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.wall += ms
    return Promise.resolve()
  }
}

export interface Model {
  /** No limit if left out. */
  limiter?: LeadLimiter
  /** Requests per minute, and at once. */
  requests?: number
  burst?: number
  /** Milliseconds that the next request or reply takes. */
  latencyMs?: () => number
  /** Number of rows that the campaign still accepts; unlimited if left out. */
  room?: () => number
}

/** The client's error after a broken connection and all retries. */
export class LostAnswer extends Error {}

/** The service as an import sees it: rate limits, and leads by idempotency key. */
export class QuickService {
  readonly #quotas: Quotas
  readonly #key: ApiKey
  readonly #answers = new Map<string, Delivered>()
  /** How often each row was accepted. */
  readonly taken = new Map<string, number>()
  refusals = { leads: 0, requests: 0 }
  requests = 0
  /** Every accepted batch, with its time and size. */
  readonly batches: { at: number; size: number }[] = []
  /** Every request with new leads, in order. */
  readonly sent: { key: string; items: readonly string[]; refused: boolean }[] = []

  constructor(
    readonly machine: QuickMachine,
    readonly model: Model = {},
  ) {
    const { requests = 1_000_000, burst = 1_000_000 } = model
    this.#quotas = new Quotas(true, () => machine.now())
    const limits = { concurrent_requests: 20, requests_per_minute: requests, burst, leads_per_minute: 0 }
    this.#key = { n: 1, organization: 1, limits } as unknown as ApiKey
  }

  get sizes(): number[] {
    return this.batches.map(({ size }) => size)
  }

  post(items: readonly string[], idempotencyKey: string): Delivered {
    this.machine.wall += this.model.latencyMs?.() ?? 0
    try {
      return this.#serve(items, idempotencyKey)
    } finally {
      this.machine.wall += this.model.latencyMs?.() ?? 0
    }
  }

  #serve(items: readonly string[], idempotencyKey: string): Delivered {
    this.requests++
    this.#countRequest()
    const { limit = 0, remaining = 0, resetSeconds = 0 } = this.#quotas.allowance(this.#key, 1e9) ?? {}
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
    }
    const kept = this.#answers.get(idempotencyKey)
    if (kept) return { ...kept, headers: { ...headers, 'idempotent-replayed': 'true' } }
    const waitMs = this.model.limiter?.(this.machine.now(), items.length) ?? 0
    this.sent.push({ key: idempotencyKey, items, refused: waitMs > 0 })
    if (waitMs > 0) {
      this.refusals.leads++
      throw tooMany('lead_rate_limited', Math.max(1, Math.ceil(waitMs / 1000)))
    }
    const delivered = { ...this.#take(items), headers }
    this.#answers.set(idempotencyKey, delivered)
    return delivered
  }

  #take(items: readonly string[]): Pick<Delivered, 'outcomes' | 'stopped'> {
    const fitting = items.slice(0, Math.max(0, this.model.room?.() ?? Infinity))
    if (fitting.length > 0) this.batches.push({ at: this.machine.now(), size: fitting.length })
    for (const item of fitting) this.taken.set(item, (this.taken.get(item) ?? 0) + 1)
    const stopped = fitting.length < items.length ? tooMany('queue_full', undefined) : undefined
    return { outcomes: fitting.map(() => ({ kind: 'added' })), stopped }
  }

  #countRequest(): void {
    try {
      this.#quotas.request(this.#key, 1e9)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.refusals.requests++
      throw tooMany('rate_limited', error.details.retry_after_seconds)
    }
  }
}

const tooMany = (code: string, retryAfterSeconds: number | undefined): ApiError =>
  new ApiError(429, { code, message: code }, { retryAfterSeconds })

/** The state that an import leaves on disk for the next run. */
export class QuickJournal {
  progress: Progress | undefined
  cuts = new Map<number, number>()
}

export interface Course {
  rows: number
  rate?: number | undefined
  journal?: QuickJournal
  resume?: boolean
  signal?: AbortSignal
  /** Called with the progress before every batch. */
  kept?: (progress: Progress) => void
  maxWaitMs?: number
  maxQueueWaitMs?: number
  /** Rows that cannot be sent. */
  isBad?: (line: number) => boolean
  /** Called for every row that is read, with the numbers of rows read and answered so far. */
  watched?: (taken: number, answered: number) => void
  /** Maximum rows in a batch. */
  most?: number
  isLimited?: boolean
}

/** Imports rows and returns the progress at the end. */
export async function importRows(service: QuickService, course: Course): Promise<Progress> {
  const { rate, resume = false, signal, kept, maxWaitMs = Infinity, maxQueueWaitMs = Infinity, most = 60 } = course
  const { machine } = service
  const journal = course.journal ?? new QuickJournal()
  const begun = initialProgress({ earlier: journal.progress, resume, rate, most, salt: '', now: machine.now() })
  const progress = structuredClone(begun.progress)
  if (!begun.repeatsCuts) journal.cuts.clear()
  const importer = new Importer({
    target: targetFor(service, most, course.isLimited ?? true),
    rows: rowsOf(course, progress),
    progress,
    keep: (now) => {
      journal.progress = structuredClone(now)
      kept?.(journal.progress)
    },
    cuts: journal.cuts,
    failed: { add: ({ line }) => line, mark: undefined },
    machine,
    signal: signal ?? new AbortController().signal,
    rate,
    maxWaitMs,
    maxQueueWaitMs,
    show: () => undefined,
    say: () => undefined,
  })
  await importer.run()
  return progress
}

function targetFor(service: QuickService, most: number, isLimited: boolean): ItemSender<string> {
  return {
    what: 'leads',
    list: 'leads',
    most,
    isLimited,
    problem: ({ problem }) => problem,
    make: ({ line }) => `row ${line}`,
    body: (leads) => ({ leads }),
    send: async (items, { idempotencyKey = '' }) => service.post(items, idempotencyKey),
    isEveryRows: () => false,
  }
}

async function* rowsOf({ rows, isBad, watched }: Course, progress: Progress): AsyncGenerator<RawRow> {
  for (let at = progress.rows; at < rows; at++) {
    watched?.(at + 1, progress.rows)
    const line = at + 2
    yield { line, values: [], problem: isBad?.(line) ? 'bad' : undefined }
  }
}
