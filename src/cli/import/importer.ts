/**
 * Sends the rows of a table batch by batch. The Idempotency-Key of a batch is made of its content and its position.
 * Waits as the service asks, counts the results, and writes refused rows to a file.
 */
import { createHash } from 'node:crypto'
import { ApiError } from '../../client/errors.js'
import type { SystemClock } from '../../client/system-clock.js'
import { RateLimitedError } from '../errors/exit-codes.js'
import { Batch } from './batch.js'
import type { FailedRows } from './failed/failed-rows.js'
import type { Cuts, Progress } from './journal.js'
import { LeadRate } from './lead-rate.js'
import { countOutcome, type Pace } from './report.js'
import { RequestPace } from './request-pace.js'
import { lineToName, type RawRow } from './rows.js'
import { findRowError, type Delivered, type ItemSender } from './target.js'

export interface ImporterParts<Item> {
  target: ItemSender<Item>
  /** Starts with the first row without an answer. */
  rows: AsyncIterator<RawRow>
  /** Progress of the import, updated in place. */
  progress: Progress
  /** Called with the progress before every batch, and at the end. */
  keep: (progress: Progress) => void
  cuts: Cuts
  failed: Pick<FailedRows, 'add' | 'mark'>
  machine: SystemClock
  signal: AbortSignal
  /** New leads per minute, if the user gave a rate. */
  rate: number | undefined
  /** Longest single wait for the lead rate. */
  maxWaitMs: number
  /** Longest wait, in total, for room in a full queue. */
  maxQueueWaitMs: number
  /** Called with the pace after every step. */
  show: (pace: Pace) => void
  /** Called with messages for the user. */
  say: (text: string) => void
}

/** Codes of a batch that can be accepted later. The answer gives no time, so the importer waits this long. */
const waitable = ['queue_full', 'test_flows_busy']
const queueWaitMs = 60_000

export class Importer<Item> {
  readonly #parts: ImporterParts<Item>
  readonly #batch: Batch<Item>
  readonly #requests = new RequestPace()
  readonly #rate: LeadRate
  /** True once the service no longer knew a batch of an earlier run. */
  #isForgotten = false
  /** Time waited for room in the queue since it last accepted a row. */
  #queueWaitedMs = 0

  constructor(parts: ImporterParts<Item>) {
    const { rows, target, progress, rate } = parts
    this.#parts = parts
    this.#batch = new Batch({
      rows,
      make: (row) => target.make(row),
      problem: (row) => target.problem(row),
      refuse: (item) => target.refuse?.(item),
    })
    this.#rate = new LeadRate(progress.rate, target.most, rate)
  }

  /** Sends all rows. Throws the error that ends it early; the progress is up to date then. */
  async run(): Promise<void> {
    const { signal } = this.#parts
    for (;;) {
      signal.throwIfAborted()
      const size = this.#size()
      if (!(await this.#batch.fill(size))) break
      const items = this.#batch.items(size)
      if (items.length === 0) this.#settle([])
      else await this.#next(items)
    }
    this.#keep(0, true)
  }

  /** A batch of an earlier run keeps its size. */
  #size(): number {
    const { target, cuts, machine, progress } = this.#parts
    return cuts.get(progress.batch) ?? (target.isLimited ? this.#rate.size(machine.now()) : target.most)
  }

  async #next(items: readonly Item[]): Promise<void> {
    const { machine, target, cuts, progress } = this.#parts
    const isRepeated = !this.#isForgotten && progress.batch < progress.reached
    // An earlier run of this import may have sent the batch without hearing the answer.
    const wasBegun = cuts.get(progress.batch) !== undefined
    cuts.set(progress.batch, items.length)
    this.#keep(items.length, false)
    await this.#wait(items.length, isRepeated)
    const delivered = await this.#send(items)
    if (delivered === undefined) return
    const { headers, outcomes, stopped } = delivered
    this.#requests.heed(headers, machine.now())
    const isReplay = headers['idempotent-replayed'] === 'true'
    if (isRepeated && !isReplay) this.#isForgotten = true
    // An answer that is replayed at the first attempt was given to another import of the same rows.
    const isEarlier = isReplay && (isRepeated || !(wasBegun || delivered.isRetried))
    // It says nothing about the current rate.
    if (target.isLimited && !isEarlier) this.#rate.accepted(machine.now(), items.length)
    if (outcomes.length > 0) {
      progress.batch++
      this.#queueWaitedMs = 0
      this.#settle(outcomes, isEarlier)
    } else progress.attempt++
    if (stopped) await this.#waitForRoom(stopped, isReplay)
  }

  /** Undefined if the batch must be sent again, changed or not. */
  async #send(items: readonly Item[]): Promise<(Delivered & { isRetried: boolean }) | undefined> {
    const { target, signal } = this.#parts
    // The importer handles this code itself: the wait shows the rate, and the batch may have to be smaller.
    const unretried = target.isLimited ? ['lead_rate_limited'] : []
    let isRetried = false
    const retrying = () => void (isRetried = true)
    const options = { idempotencyKey: this.#key(items), signal, unretried, retrying }
    try {
      const delivered = checkComplete(await target.send(items, options), items.length)
      return { ...delivered, isRetried }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.refusal.code === 'lead_rate_limited') return this.#tooFast(error, items.length)
      const rowError = findRowError(error, target.list, items.length)
      if (rowError === undefined || target.isEveryRows(rowError.param)) throw error
      this.#batch.refuse(rowError.index, error.refusal.code, rowError.message)
      return undefined
    }
  }

  /** Made of the first row's position, the number of rows and their content, so that every run makes the same key. */
  #key(items: readonly Item[]): string {
    const { target, progress } = this.#parts
    const { salt, attempt, rows } = progress
    const of = JSON.stringify([salt, attempt, rows, items.length, target.body(items)])
    return `import-${createHash('sha256').update(of).digest('hex')}`
  }

  #tooFast(error: ApiError, count: number): undefined {
    const { cuts, machine, maxWaitMs, progress, say } = this.#parts
    const isFirst = this.#rate.perMinute === null
    const retryAfterMs = Math.max(error.retryAfterSeconds ?? 1, 1) * 1000
    this.#rate.refused(machine.now(), count, retryAfterMs)
    // The batch was never accepted, so it may become smaller. The journal records that before anything is sent.
    if (progress.rate.largest < count) cuts.set(progress.batch, progress.rate.largest)
    const perMinute = this.#rate.perMinute
    if (isFirst && perMinute !== null)
      say(`The service takes about ${perMinute} new leads a minute; the import keeps to that rate.`)
    if (retryAfterMs <= maxWaitMs) return undefined
    this.#keep(0, false)
    throw error
  }

  async #wait(items: number, isRepeated: boolean): Promise<void> {
    const { target, machine, maxWaitMs } = this.#parts
    const now = machine.now()
    const { refusals } = this.#parts.progress.rate
    // A batch of an earlier run needs no wait, because the service replays its answer, unless it was just refused.
    const forLeads = target.isLimited && !(isRepeated && refusals === 0) ? this.#rate.waitMs(now, items) : 0
    if (forLeads > maxWaitMs) throw new RateLimitedError(forLeads)
    const forRequests = this.#requests.take(now)
    const limit = forLeads >= forRequests ? "the key's limit of new leads" : "the key's rate limit"
    await this.#sleep(Math.max(forLeads, forRequests), items, limit)
  }

  async #waitForRoom(stopped: ApiError, isReplay: boolean): Promise<void> {
    const { maxQueueWaitMs, say } = this.#parts
    this.#keep(0, false)
    if (!waitable.includes(stopped.refusal.code)) throw stopped
    // A replayed answer says nothing about the current queue.
    if (isReplay) return
    const waitMs = (stopped.retryAfterSeconds ?? 0) * 1000 || queueWaitMs
    this.#queueWaitedMs += waitMs
    if (this.#queueWaitedMs > maxQueueWaitMs) throw stopped
    if (this.#queueWaitedMs === waitMs) say(`${stopped.message} The import waits for room.`)
    await this.#sleep(waitMs, 0, 'room in the queue')
  }

  async #sleep(ms: number, next: number, waitsFor: string): Promise<void> {
    const { machine, signal, show } = this.#parts
    const until = machine.now() + ms
    for (let left = ms; left > 0; left = until - machine.now()) {
      show({ rate: this.#rateNow, waitMs: left, next, waitsFor })
      await machine.sleep(Math.min(left, 1000), signal)
    }
  }

  #settle(outcomes: Delivered['outcomes'], isRepeated = false): void {
    const { progress, failed, show } = this.#parts
    for (const [row, outcome] of this.#batch.settle(outcomes)) {
      // The result names the same lines as the file of refused rows.
      const line = outcome.kind === 'refused' ? failed.add(row, outcome.code, outcome.message) : lineToName(row)
      countOutcome(progress.counts, outcome, line, isRepeated)
      progress.rows++
      progress.line = lineToName(row)
    }
    show({ rate: this.#rateNow, waitMs: 0, next: 0 })
  }

  /** Null without a known rate. */
  get #rateNow(): number | null {
    return this.#parts.target.isLimited ? this.#rate.perMinute : null
  }

  #keep(next: number, finished: boolean): void {
    const { progress, keep, failed, machine } = this.#parts
    Object.assign(progress, { next, finished, at: machine.now(), failed: failed.mark ?? progress.failed })
    keep(progress)
  }
}

/** A row without a result may or may not have been added, so it must not be sent in another batch. */
function checkComplete(delivered: Delivered, items: number): Delivered {
  const { outcomes, stopped } = delivered
  if (outcomes.length === items || stopped) return delivered
  throw new Error(
    `The service gave ${outcomes.length} results for ${items} rows, so it is unknown which rows were added.`,
  )
}
