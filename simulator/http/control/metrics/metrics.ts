/** Counts requests, calls and webhook attempts since the process started. */
import { outcomes } from '../../../../src/contract/enums.js'
import { errorCatalogue } from '../../../../src/contract/errors/error-codes.js'
import type { Outcome } from '../../../../src/contract/base/outcomes.js'
import type { AttemptResult, Notification } from '../../../model/world.js'
import { byLabel, formatValue, type MetricFamily, type Sample } from './exposition.js'

/** Upper bounds of the histogram, in seconds. */
const bucketSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity]
const attemptResults = ['sent', 'failed', 'gave_up'] as const satisfies readonly AttemptResult[]
const sinceStart = 'Counted since the process started.'

export interface AnsweredRequest {
  /** Method and path template, such as `GET /leads/{id}`; null where no endpoint has the path. */
  route: string | null
  /** Null where the connection was cut. */
  status: number | null
  /** The code of the error in the answer. */
  refusal: string | null
  durationMs: number
}

const countsOfZero = <T extends string>(names: readonly T[]): Map<T, number> => new Map(names.map((name) => [name, 0]))
const increment = <T>(counts: Map<T, number>, name: T): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

export class Metrics {
  /** By route, then by status. */
  readonly #requests = new Map<string, Map<string, number>>()
  readonly #refusals = countsOfZero(Object.keys(errorCatalogue))
  readonly #buckets = bucketSeconds.map(() => 0)
  #durationSum = 0
  readonly #calls = countsOfZero<Outcome>(outcomes)
  readonly #attempts = countsOfZero<AttemptResult>(attemptResults)

  countRequest({ route, status, refusal, durationMs }: AnsweredRequest): void {
    const name = route ?? 'unknown'
    let statuses = this.#requests.get(name)
    if (!statuses) this.#requests.set(name, (statuses = new Map<string, number>()))
    increment(statuses, status === null ? 'none' : String(status))
    if (refusal !== null) increment(this.#refusals, refusal)
    const seconds = durationMs / 1_000
    this.#durationSum += seconds
    const bucket = bucketSeconds.findIndex((bound) => seconds <= bound)
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1
  }

  /** A listener of the engine: it is called for each committed change. */
  readonly countChange = (notice: Notification): void => {
    if (notice.kind === 'attempt') increment(this.#attempts, notice.result)
    else if (notice.kind === 'call' && notice.to === 'ended' && notice.outcome !== null)
      increment(this.#calls, notice.outcome)
  }

  families(): MetricFamily[] {
    return [
      counterFamily('svc_requests_total', 'API requests by endpoint and status; none: the connection was cut.', [
        ...[...this.#requests].flatMap(([route, statuses]) =>
          [...statuses].map(([status, value]) => ({ labels: { route, status }, value })),
        ),
      ]),
      counterFamily(
        'svc_refusals_total',
        'API requests answered with an error, by code.',
        byLabel('code', this.#refusals),
      ),
      {
        name: 'svc_request_duration_seconds',
        type: 'histogram',
        help: `Time to answer API requests, in seconds of the system clock. ${sinceStart}`,
        samples: this.#durations(),
      },
      counterFamily('svc_calls_total', 'Ended calls by outcome.', byLabel('outcome', this.#calls)),
      counterFamily('svc_deliveries_total', 'Webhook attempts by result.', byLabel('result', this.#attempts)),
    ]
  }

  #durations(): Sample[] {
    let value = 0
    const buckets = bucketSeconds.map((bound, i) => {
      value += this.#buckets[i] ?? 0
      return { suffix: '_bucket', labels: { le: formatValue(bound) }, value }
    })
    return [...buckets, { suffix: '_sum', value: this.#durationSum }, { suffix: '_count', value }]
  }
}

const counterFamily = (name: string, help: string, samples: Sample[]): MetricFamily => ({
  name,
  type: 'counter',
  help: `${help} ${sinceStart}`,
  samples,
})
