/**
 * Faults injected through the control plane that delay the next matching API requests, answer them with an error, or
 * drop their connection.
 */
import type { NewRequestFault } from '../../../../src/contract/control/faults.js'
import { ApiError, errorCatalogue, type ErrorCode } from '../../../../src/contract/errors/error-codes.js'
import type { SystemClock, Timer } from '../../../kernel/system-clock.js'
import { compilePathGlob } from './glob.js'

/** Drops the connection without an answer. */
export class DropConnection extends Error {
  override name = 'CutOff'
}

/** An error that only a fault gives: any status with any code. */
export class InjectedAnswer extends ApiError {
  override readonly status: number

  constructor(status: number, code: ErrorCode) {
    const waits = status === 429 || code === 'idempotency_in_progress'
    super(code, errorCatalogue[code].sentence, waits ? { retry_after_seconds: 1 } : {})
    this.status = status
  }
}

/** The code for a fault that only has a status. Other statuses use the code of their class. */
const fitting: Readonly<Record<number, ErrorCode>> = {
  401: 'authentication_failed',
  403: 'permission_denied',
  404: 'not_found',
  409: 'idempotency_in_progress',
  422: 'on_dnc_list',
  429: 'rate_limited',
  500: 'internal_error',
}
const codeFor = (status: number): ErrorCode =>
  fitting[status] ?? (status < 500 ? 'invalid_request' : 'service_unavailable')

/** What a fault does to one matching request. */
export interface FaultEffect {
  /** What it does, for the request log. */
  name: string
  /** Awaited before the work. Takes the injected latency, and throws if the request must not be carried out. */
  beforeWork(): Promise<void>
  /** Called after the work is committed. */
  afterWork(): void
}

interface Waiting {
  id: string
  fault: NewRequestFault
  left: number
  matches: (path: string) => boolean
}

export class InjectedFaults {
  #waiting: Waiting[] = []
  #added = 0
  /** Requests that are being delayed. */
  readonly #slowed = new Map<Timer, (error: Error) => void>()

  constructor(readonly machine: SystemClock) {}

  /** Adds a fault and returns its id. */
  add(fault: NewRequestFault): string {
    const id = `request_${++this.#added}`
    this.#waiting.push({ id, fault, left: fault.count, matches: compilePathGlob(fault.path ?? '**') })
    return id
  }

  /** The faults that wait, oldest first, with the number of requests that each one still affects. */
  list(): (NewRequestFault & { id: string })[] {
    return this.#waiting.map(({ id, fault, left }) => ({ ...fault, id, count: left }))
  }

  /** Removes one fault that waits. */
  remove(id: string): void {
    this.#waiting = this.#waiting.filter((one) => one.id !== id)
  }

  /** Removes the faults that are left and returns their number. */
  clear(): number {
    return this.#waiting.splice(0).length
  }

  /** The oldest fault that matches the method and path, or null. Uses up one of its repetitions. */
  take(method: string, path: string): FaultEffect | null {
    const met = this.#waiting.find(({ fault, matches }) => (fault.method ?? method) === method && matches(path))
    if (!met) return null
    if (--met.left === 0) this.#waiting = this.#waiting.filter((one) => one !== met)
    const { latency_ms: latency = 0, after_commit = false } = met.fault
    return {
      name: nameOf(met.fault),
      beforeWork: async () => {
        if (latency > 0) await this.#slow(latency)
        if (!after_commit) throwFault(met.fault)
      },
      afterWork: () => {
        if (after_commit) throwFault(met.fault)
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

  /** Drops the connections of delayed requests when the simulator closes or its world is replaced. */
  dropAll(): void {
    for (const [timer, reject] of this.#slowed) {
      timer.cancel()
      reject(new DropConnection())
    }
    this.#slowed.clear()
  }
}

function nameOf({ drop, status, code, latency_ms: latency }: NewRequestFault): string {
  const error = drop ? 'drop' : [status, code].filter((part) => part !== undefined).join(' ')
  const parts = [latency === undefined ? '' : `latency ${latency} ms`, error]
  return parts.filter((part) => part !== '').join(', ')
}

/** Ends the request as the fault says. */
function throwFault({ drop, status, code }: NewRequestFault): void {
  if (drop) throw new DropConnection()
  if (code !== undefined) throw new InjectedAnswer(status ?? errorCatalogue[code].status, code)
  if (status !== undefined) throw new InjectedAnswer(status, codeFor(status))
}
