/** Output of a listener: results, and for programs also its state changes as records. */
import type { Printer } from '../../output/printer.js'
import { resourceColumns, type ResourceColumns } from '../../output/columns-of-resources.js'
import { formatDuration } from '../../output/progress.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import type { Event } from '../../contract/events.js'
import type { FailedAttempt, Forwarded } from './forwarder.js'

export interface ReportOptions {
  printer: Printer
  /** Writes a note to stderr. */
  note: (text: string) => void
  /** Masks the secrets of this run in a text. */
  masked: (text: string) => string
  /** True if results are answers of a server, false if they are events. */
  isForwarding: boolean
}

export interface Summary {
  /** Delivered events; printed events if nothing is forwarded. */
  delivered: number
  /** Events given up after all attempts. */
  failed: number
  /** Events in flight or waiting for a retry at the end. */
  left: number
  lengthMs: number
}

/** Start of a server's answer, on one line. */
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

  /** Reports a state: a record for programs, or a sentence on stderr. */
  async state(type: 'ready' | 'lost' | 'back' | 'stopped', facts: object, sentence: string): Promise<void> {
    if (this.#isRead) return this.#write([{ type, ...facts }])
    this.remark(sentence)
  }

  /** Like `tell`, without waiting for the write. */
  tell(...said: Parameters<Report['state']>): void {
    // If the reader has closed the output, the program exits elsewhere.
    this.state(...said).catch(() => undefined)
  }

  /** Writes a sentence for people only. */
  remark(sentence: string): void {
    if (!this.#isRead) this.#options.note(`${stripControlsFromLine(this.#options.masked(sentence))}\n`)
  }

  /** Reports a settled event. */
  async event(result: Event | Forwarded): Promise<void> {
    const isForPerson = this.#options.printer.style.format === 'table' && 'ms' in result
    await this.#write([isForPerson ? { ...result, ms: `${result.ms} ms` } : result])
  }

  /** Reports a failed attempt with a hint. Does not repeat the same hint twice in a row. */
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

  /** Resets the hint after a success. A success may have a hint, too. */
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
