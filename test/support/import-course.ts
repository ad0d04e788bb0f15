/** An import in a world of its own: no program, no network, and a clock that passes when it is waited on. */
import { ApiError } from '../../src/client/errors.js'
import type { Machine } from '../../src/client/machine.js'
import { beginning } from '../../src/cli/import/beginning.js'
import type { Cargo, Delivered } from '../../src/cli/import/cargo.js'
import { Importer } from '../../src/cli/import/importer.js'
import type { Progress } from '../../src/cli/import/journal.js'
import type { RawRow } from '../../src/cli/import/raw-row.js'
import { Refusal } from '../../src/contract/refusals.js'
import { Quotas } from '../../simulator/service/quotas.js'
import type { Key } from '../../simulator/world/key.js'

/** Time that passes at once. */
export class QuickMachine implements Machine {
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

export interface Allowance {
  leads: number
  requests: number
  burst: number
}

/** The service as an import sees it: the simulator's own quotas, and leads by the keys they came with. */
export class QuickService {
  readonly quotas: Quotas
  readonly #key: Key
  readonly #answers = new Map<string, number>()
  /** Every row that was taken, by its line, with how often. */
  readonly taken = new Map<string, number>()
  refusals = { leads: 0, requests: 0 }
  requests = 0
  /** Every batch that was taken, when and how many leads. */
  readonly batches: { at: number; size: number }[] = []

  constructor(
    readonly machine: QuickMachine,
    readonly allowance: Allowance,
    /** How long the next way there, or back, takes. */
    readonly latencyMs: () => number = () => 0,
  ) {
    this.quotas = new Quotas(true, () => machine.now())
    const { leads, requests, burst } = allowance
    const limits = { concurrent_requests: 20, requests_per_minute: requests, burst, leads_per_minute: leads }
    this.#key = { n: 1, organization: 1, limits } as unknown as Key
  }

  /** Uses some of the allowance from elsewhere. */
  useElsewhere(leads: number): void {
    this.quotas.newLeads(this.#key, leads)
  }

  get sizes(): number[] {
    return this.batches.map(({ size }) => size)
  }

  post(items: readonly string[], idempotencyKey: string): Delivered {
    this.machine.wall += this.latencyMs()
    try {
      return this.#serve(items, idempotencyKey)
    } finally {
      this.machine.wall += this.latencyMs()
    }
  }

  #serve(items: readonly string[], idempotencyKey: string): Delivered {
    this.requests++
    this.#passes('requests', () => this.quotas.request(this.#key, 1e9))
    const { limit, remaining, resetSeconds } = this.quotas.allowance(this.#key, 1e9) ?? {
      limit: 0,
      remaining: 0,
      resetSeconds: 0,
    }
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(resetSeconds),
    }
    const outcomes = items.map(() => ({ kind: 'added' as const }))
    if (this.#answers.has(idempotencyKey))
      return { outcomes, headers: { ...headers, 'idempotent-replayed': 'true' }, end: undefined }
    this.#passes('leads', () => this.quotas.newLeads(this.#key, items.length))
    this.#answers.set(idempotencyKey, items.length)
    this.batches.push({ at: this.machine.now(), size: items.length })
    for (const item of items) this.taken.set(item, (this.taken.get(item) ?? 0) + 1)
    return { outcomes, headers, end: undefined }
  }

  #passes(what: 'leads' | 'requests', pass: () => void): void {
    try {
      pass()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.refusals[what]++
      const { code, message, details } = error
      throw new ApiError(429, { code, message }, { retryAfterSeconds: details.retry_after_seconds })
    }
  }
}

export interface Course {
  rows: number
  rate?: number
  earlier?: Progress
  resume?: boolean
  signal?: AbortSignal
  /** Told of every batch before it goes out. */
  kept?: (progress: Progress) => void
  maxWaitMs?: number
  /** Rows that cannot be sent. */
  isBad?: (line: number) => boolean
  /** Told with every row that is taken how many were by then, and how many are answered. */
  watched?: (taken: number, answered: number) => void
}

/** Imports so many rows; gives where it stood in the end. */
export async function importRows(service: QuickService, course: Course): Promise<Progress> {
  const { rate, earlier, resume = false, signal, kept, maxWaitMs = Infinity } = course
  const { machine } = service
  const progress = beginning({ earlier, resume, rate, salt: '', now: machine.now() })
  const importer = new Importer({
    cargo: cargoFor(service),
    rows: rowsOf(course, progress),
    progress,
    keep: (now) => kept?.(structuredClone(now)),
    failed: { add: () => undefined, mark: undefined },
    machine,
    signal: signal ?? new AbortController().signal,
    maxWaitMs,
    show: () => undefined,
    say: () => undefined,
  })
  await importer.run()
  return progress
}

function cargoFor(service: QuickService): Cargo<string> {
  return {
    what: 'leads',
    list: 'leads',
    most: 60,
    isLimited: true,
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
