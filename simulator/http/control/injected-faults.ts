/** Faults set through the control plane: the next matching API requests are slowed, answered with an error, or cut off. */
import type { NewFault } from '../../../src/contract/control/faults.js'
import { Refusal, refusals, type RefusalCode } from '../../../src/contract/errors/error-codes.js'
import type { Machine, Timer } from '../../kernel/system-clock.js'
import { pathTester } from './glob.js'

/** The connection is to be cut: there is no answer. */
export class CutOff extends Error {
  override name = 'CutOff'
}

/** An answer that only a fault gives: any status, with any code. */
export class FaultAnswer extends Refusal {
  override readonly status: number

  constructor(status: number, code: RefusalCode) {
    const waits = status === 429 || code === 'idempotency_in_progress'
    super(code, refusals[code].sentence, waits ? { retry_after_seconds: 1 } : {})
    this.status = status
  }
}

/** The code for a status that was given alone; a status that no code has is like the general one of its hundred. */
const fitting: Readonly<Record<number, RefusalCode>> = {
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'not_found',
  409: 'idempotency_in_progress',
  422: 'on_dnc_list',
  429: 'rate_limited',
  500: 'internal_error',
}
const codeFor = (status: number): RefusalCode =>
  fitting[status] ?? (status < 500 ? 'invalid_request' : 'service_unavailable')

/** What a fault does to one request that it met. */
export interface Strike {
  /** To be awaited before the work: the time it takes, and the end of the request where the work is not to be done. */
  beforeWork(): Promise<void>
  /** To be called once the work is committed. */
  afterWork(): void
}

interface Waiting {
  fault: NewFault
  left: number
  matches: (path: string) => boolean
}

export class Faults {
  #waiting: Waiting[] = []
  /** Requests that are being slowed. */
  readonly #slowed = new Map<Timer, (error: Error) => void>()

  constructor(readonly machine: Machine) {}

  add(fault: NewFault): void {
    this.#waiting.push({ fault, left: fault.count, matches: pathTester(fault.path ?? '**') })
  }

  /** Forgets those that have not met their requests; the answer is how many. */
  clear(): number {
    return this.#waiting.splice(0).length
  }

  /** The oldest fault that a request of this method and path meets, if any. It is spent by it. */
  meet(method: string, path: string): Strike | null {
    const met = this.#waiting.find(({ fault, matches }) => (fault.method ?? method) === method && matches(path))
    if (!met) return null
    if (--met.left === 0) this.#waiting = this.#waiting.filter((one) => one !== met)
    const { latency_ms: latency = 0, after_commit = false } = met.fault
    return {
      beforeWork: async () => {
        if (latency > 0) await this.#slow(latency)
        if (!after_commit) end(met.fault)
      },
      afterWork: () => {
        if (after_commit) end(met.fault)
      },
    }
  }

  #slow(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.machine.after(ms, () => {
        this.#slowed.delete(timer)
        resolve()
      })
      this.#slowed.set(timer, reject)
    })
  }

  /** The simulator closes, or its world is replaced: whoever is being slowed is cut off. */
  cutOff(): void {
    for (const [timer, reject] of this.#slowed) {
      timer.cancel()
      reject(new CutOff())
    }
    this.#slowed.clear()
  }
}

/** Ends the request where the fault says how. */
function end({ drop, status, code }: NewFault): void {
  if (drop) throw new CutOff()
  if (code !== undefined) throw new FaultAnswer(status ?? refusals[code].status, code)
  if (status !== undefined) throw new FaultAnswer(status, codeFor(status))
}
