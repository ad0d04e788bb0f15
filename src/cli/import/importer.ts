/**
 * Sends the rows of a table batch by batch, one at a time, each under an Idempotency-Key made of its content and its
 * place, at the pace that the service allows; what became of each row is counted, and the refused ones are written down.
 */
import { createHash } from 'node:crypto'
import { ApiError } from '../../client/errors.js'
import type { Machine } from '../../client/machine.js'
import { RateLimitedError } from '../exit.js'
import { Batch } from './batch.js'
import type { Cargo, Delivered } from './cargo.js'
import type { FailedRows } from './failed-rows.js'
import type { Progress } from './journal.js'
import { LeadRate } from './lead-rate.js'
import { batchSize } from './plan.js'
import type { RawRow } from './raw-row.js'
import type { Pace } from './report.js'
import { RequestPace } from './request-pace.js'
import { rowFault } from './row-fault.js'
import { count } from './tally.js'

export interface ImporterParts<Item> {
  cargo: Cargo<Item>
  /** From the first row that is not answered yet. */
  rows: AsyncIterator<RawRow>
  /** Where the import stands; it is carried on in place. */
  progress: Progress
  /** Called with it before every batch, and at the end. */
  keep: (progress: Progress) => void
  failed: Pick<FailedRows, 'add' | 'mark'>
  machine: Machine
  signal: AbortSignal
  /** The longest that the allowance of leads may make it wait at once. */
  maxWaitMs: number
  /** Told now and then how far it is. */
  show: (pace: Pace) => void
  /** Told what a person should know. */
  say: (text: string) => void
}

export class Importer<Item> {
  readonly #parts: ImporterParts<Item>
  readonly #batch: Batch<Item>
  readonly #requests = new RequestPace()
  readonly #rate: LeadRate

  constructor(parts: ImporterParts<Item>) {
    this.#parts = parts
    this.#batch = new Batch(parts.rows, (row) => parts.cargo.make(row))
    this.#rate = new LeadRate(parts.progress)
  }

  /** To the end of the table. Throws what ends it before; the progress says then how far it came. */
  async run(): Promise<void> {
    const { cargo, progress, signal } = this.#parts
    for (;;) {
      signal.throwIfAborted()
      const size = cargo.isLimited ? batchSize(progress.plan, progress.sent, cargo.most) : cargo.most
      if (!(await this.#batch.fill(size))) break
      const items = this.#batch.items.slice(0, size)
      if (items.length === 0) this.#settle([])
      else await this.#next(items)
    }
    this.#keep(0, true)
  }

  async #next(items: readonly Item[]): Promise<void> {
    const { machine, cargo } = this.#parts
    this.#keep(items.length, false)
    await this.#wait(items.length)
    const left = machine.now()
    const delivered = await this.#send(items, left)
    if (delivered === undefined) return
    const answered = machine.now()
    const { headers, outcomes, end } = delivered
    this.#requests.heed(headers, answered)
    const isReplay = headers['idempotent-replayed'] === 'true'
    const { progress } = this.#parts
    if (cargo.isLimited) this.#rate.answered({ left, answered, count: items.length }, isReplay)
    if (end) {
      progress.attempt++
      this.#keep(0, false)
      throw end
    }
    if (isReplay) progress.counts.replayed += items.length
    progress.sent += items.length
    this.#settle(outcomes)
  }

  /** Undefined where the batch has to be sent another way, which was seen to. */
  async #send(items: readonly Item[], left: number): Promise<Delivered | undefined> {
    const { cargo, signal } = this.#parts
    // A refusal that tells the rate may have the file cut another way before it goes on.
    const unretried = cargo.isLimited ? ['lead_rate_limited'] : []
    const options = { idempotencyKey: this.#key(items), signal, unretried }
    try {
      return whole(await cargo.send(items, options), items.length)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.refusal.code === 'lead_rate_limited') return this.#tooFast(error, left, items.length)
      const fault = rowFault(error, cargo.list, items.length)
      if (fault === undefined || cargo.isEveryRows(fault.param)) throw error
      this.#batch.refuse(fault.index, error.refusal.code, fault.message)
      return undefined
    }
  }

  /** The same items at the same place make the same key, whoever sends them and when. */
  #key(items: readonly Item[]): string {
    const { cargo, progress } = this.#parts
    const { salt, attempt, rows } = progress
    const of = JSON.stringify([salt, attempt, rows, cargo.body(items)])
    return `import-${createHash('sha256').update(of).digest('hex')}`
  }

  #tooFast(error: ApiError, left: number, count: number): undefined {
    const { machine, maxWaitMs, say } = this.#parts
    const retryAfterMs = (error.retryAfterSeconds ?? 60) * 1000
    const told = this.#rate.refused({ left, answered: machine.now(), count }, retryAfterMs)
    if (told !== undefined) say(`The service takes ${told} new leads a minute; the rest follows at that rate.`)
    if (retryAfterMs <= maxWaitMs) return undefined
    this.#keep(0, false)
    throw error
  }

  async #wait(items: number): Promise<void> {
    const { cargo, machine, maxWaitMs, signal, show } = this.#parts
    const now = machine.now()
    const forLeads = cargo.isLimited ? this.#rate.waitMs(now, items) : 0
    if (forLeads > maxWaitMs) throw new RateLimitedError(forLeads)
    const until = now + Math.max(forLeads, this.#requests.take(now))
    for (let left = until - now; left > 0; left = until - machine.now()) {
      show({ rate: this.#rateNow, waitMs: left, next: items })
      await machine.sleep(Math.min(left, 1000), signal)
    }
  }

  #settle(outcomes: Delivered['outcomes']): void {
    const { progress, failed, show } = this.#parts
    for (const [row, outcome] of this.#batch.settle(outcomes)) {
      if (outcome.kind === 'refused') failed.add(row, outcome.code, outcome.message)
      count(progress.counts, outcome)
      progress.rows++
      progress.line = row.line
    }
    show({ rate: this.#rateNow, waitMs: 0, next: 0 })
  }

  /** Null where there is none to keep to. */
  get #rateNow(): number | null {
    return this.#parts.cargo.isLimited ? this.#rate.current : null
  }

  #keep(next: number, finished: boolean): void {
    const { progress, keep, failed, machine } = this.#parts
    Object.assign(progress, { next, finished, at: machine.now(), failed: failed.mark ?? progress.failed })
    keep(progress)
  }
}

/** Of a row without an answer nobody knows whether it was taken: it must not be sent another way. */
function whole(delivered: Delivered, items: number): Delivered {
  const { outcomes } = delivered
  if (outcomes.length === items) return delivered
  throw new Error(
    `The service gave ${outcomes.length} results for ${items} rows, so that nobody knows which was taken.`,
  )
}
