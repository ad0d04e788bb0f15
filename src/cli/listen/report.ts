/** What a listener says: its results and, where a program reads along, its states as records between them. */
import type { Printer } from '../../output/printer.js'
import { resourceColumns, type ResourceColumns } from '../../output/columns-of-resources.js'
import { formatDuration } from '../../output/progress.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import type { Event } from '../../contract/events.js'
import type { FailedAttempt, Forwarded } from './forwarder.js'

export interface ReportOptions {
  printer: Printer
  /** Says something beside the result. */
  note: (text: string) => void
  /** The same text without the secrets of this run. */
  masked: (text: string) => string
  /** Whether what is printed are answers, or the events themselves. */
  isForwarding: boolean
}

export interface Summary {
  /** Taken by a server; where nothing is forwarded, printed. */
  delivered: number
  /** Not taken, in as many tries as they were given. */
  failed: number
  /** On their way when it ended, or waiting for another try. */
  left: number
  lengthMs: number
}

/** The beginning of what a server said, on one line. */
const excerptLength = 200

export class Report {
  readonly #options: ReportOptions
  readonly #write: (items: readonly unknown[]) => Promise<void>
  readonly #isRead: boolean
  #lastHint = ''

  private constructor(options: ReportOptions, write: (items: readonly unknown[]) => Promise<void>) {
    this.#options = options
    this.#write = write
    const { format } = options.printer.style
    this.#isRead = format === 'json' || format === 'ndjson'
  }

  static async begin(options: ReportOptions): Promise<Report> {
    const kind: ResourceColumns = options.isForwarding ? resourceColumns.forwardedEvent : resourceColumns.event
    return new Report(options, await options.printer.lines(kind))
  }

  /** A state: a record where a program reads along, else a sentence beside the results. */
  async state(type: 'ready' | 'lost' | 'back' | 'stopped', facts: object, sentence: string): Promise<void> {
    if (this.#isRead) return this.#write([{ type, ...facts }])
    this.remark(sentence)
  }

  /** The same, said in passing. */
  tell(...said: Parameters<Report['state']>): void {
    // Where nobody reads on, the program ends by itself.
    this.state(...said).catch(() => undefined)
  }

  /** A sentence for a person alone. */
  remark(sentence: string): void {
    if (!this.#isRead) this.#options.note(`${stripControlsFromLine(this.#options.masked(sentence))}\n`)
  }

  /** An event, once nothing more is to be done about it. */
  async event(result: Event | Forwarded): Promise<void> {
    const isForPerson = this.#options.printer.style.format === 'table' && 'ms' in result
    await this.#write([isForPerson ? { ...result, ms: `${result.ms} ms` } : result])
  }

  /** A try that failed, and what is probably wrong; the same advice is not given twice in a row. */
  failure({ event, outcome, hint, attempt, pauseMs }: FailedAttempt): void {
    const { status, error, duration_ms, response_body } = outcome
    const what = status === null ? `no answer (${error}) after` : `${status} in`
    const then = pauseMs === undefined ? 'It was the last try.' : `Again in ${pauseMs} ms.`
    this.remark(`${event.type} ${event.id}: ${what} ${duration_ms} ms, try ${attempt}. ${then}`)
    const said = response_body?.trim().slice(0, excerptLength)
    if (said) this.remark(`  Your server says: ${said}`)
    if (hint !== this.#lastHint) this.remark(`  ${hint}`)
    this.#lastHint = hint
  }

  /** Advice is new again once something was taken; there may be some all the same. */
  success(hint: string | null): void {
    this.#lastHint = ''
    if (hint) this.remark(hint)
  }

  async stopped({ delivered, failed, left, lengthMs }: Summary): Promise<void> {
    const parts = [
      `${delivered} ${this.#options.isForwarding ? 'delivered' : 'printed'}`,
      ...(failed > 0 ? [`${failed} not taken`] : []),
      ...(left > 0 ? [`${left} left for the next run`] : []),
    ]
    const facts = { delivered, failed, left }
    await this.state('stopped', facts, `Stopped after ${formatDuration(lengthMs)}: ${parts.join(', ')}.`)
  }
}
