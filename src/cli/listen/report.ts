/** Output of a listener: results, and for programs also its state changes as records. */
import type { Printer } from '../../output/printer.js'
import { leadOfEvent, resourceColumns, type ResourceColumns } from '../../output/columns/resources.js'
import { resultColumns } from '../../output/columns/results.js'
import { formatDuration } from '../../output/progress.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { eventTypes } from '../../contract/enums.js'
import { quoteForShell } from '../input/shell-word.js'
import type { Event } from '../../contract/events.js'
import { isAccepted, type FailedAttempt, type Forwarded } from './forwarder.js'

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
  /** Events given up after all attempts, or accepted too late for the service. */
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
  /** True if a program reads the states as records. */
  readonly #isRead: boolean
  /** True if a person reads one short line for each event. */
  readonly #isShort: boolean
  /** Hints that were printed. A cause is explained once. */
  readonly #hints = new Set<string>()
  /** Events that were not accepted, with their addresses. */
  readonly #failed: { id: string; url: string }[] = []

  private constructor(options: ReportOptions, write: (items: readonly unknown[]) => Promise<void>) {
    this.#options = options
    this.#write = write
    const { format, columns } = options.printer.style
    this.#isShort = format === 'table' && columns === undefined
    // Selected fields are those of events: the states have none of them.
    this.#isRead = (format === 'json' || format === 'ndjson') && columns === undefined
  }

  static async begin(options: ReportOptions): Promise<Report> {
    const kind: ResourceColumns = options.isForwarding ? resultColumns.forwardedEvent : resourceColumns.event
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

  /** Reports a settled event. `event` is the event itself, `result` what became of it. */
  async event(event: Event, result: Event | Forwarded): Promise<void> {
    if ('status' in result && !isAccepted(result)) this.#failed.push({ id: result.id, url: result.url })
    if (this.#isShort)
      return this.#options.printer.text(`${shortLine(event, 'status' in result ? result : undefined)}\n`)
    const isForPerson = this.#options.printer.style.format === 'table' && 'ms' in result
    await this.#write([isForPerson ? { ...result, ms: `${result.ms} ms` } : result])
  }

  /** Explains a failed attempt, once for each cause. The event's own line says what became of it. */
  failure({ outcome, hint }: FailedAttempt): void {
    if (this.#hints.has(hint)) return
    this.#hints.add(hint)
    const said = outcome.response_body?.trim().slice(0, excerptLength)
    const what = outcome.status ?? outcome.error
    this.remark(`  ${what}: ${hint}`)
    if (said) this.remark(`  Your server says: ${said}`)
  }

  async stopped({ delivered, failed, left, lengthMs }: Summary): Promise<void> {
    const parts = [
      `${delivered} ${this.#options.isForwarding ? 'delivered' : 'printed'}`,
      ...(failed > 0 ? [`${failed} not accepted`] : []),
      ...(left > 0 ? [`${left} left for the next run`] : []),
    ]
    const facts = { delivered, failed, left }
    await this.state('stopped', facts, `Stopped after ${formatDuration(lengthMs)}: ${parts.join(', ')}.`)
    if (this.#failed.length === 0) return
    this.remark('To send the events that were not accepted again:')
    for (const { id, url } of this.#failed.slice(0, shownFailures))
      this.remark(`  svc events resend ${id} --forward-to ${quoteForShell(url)}`)
    const more = this.#failed.length - shownFailures
    if (more > 0) this.remark(`  and ${more} more; svc events list shows their ids`)
  }
}

/** Failed events that are listed at the end. */
const shownFailures = 10

const typeWidth = Math.max(...eventTypes.map((type) => type.length))

/** `15:01:41 call.completed     204    12 ms  lead Ann`. The time is the event's, in the local time zone. */
function shortLine(event: Event, result: Forwarded | undefined): string {
  const at = new Date(event.created)
  const time = Number.isNaN(at.getTime()) ? event.created : at.toTimeString().slice(0, 8)
  const answer = result ? [String(result.status ?? result.error ?? '-').padEnd(3), `${result.ms} ms`.padStart(7)] : []
  const retries = result && result.attempts > 1 ? [`after ${result.attempts} attempts`] : []
  const parts = [
    `${time} ${event.type.padEnd(typeWidth)}`,
    ...answer,
    `lead ${leadOfEvent(event) ?? event.id}`,
    ...retries,
  ]
  return stripControlsFromLine(parts.join('  '))
}
