/** Polls one lead until it reaches a final status. */
import type { SystemClock } from '../../client/system-clock.js'
import type { Lead } from '../../contract/leads.js'
import { formatDuration } from '../../output/progress.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { statusInWords } from '../../output/value-words.js'
import { WaitedTooLongError } from '../errors/exit-codes.js'

export interface LeadWatchOptions {
  read: () => Promise<{ data: Lead }>
  machine: SystemClock
  intervalMs: number
  /** Undefined for no timeout. */
  timeoutMs: number | undefined
  /** Output for a status line; undefined if stderr is not a terminal. */
  live: { write: (text: string) => void; width: () => number } | undefined
  /** Formats a time for the status line. */
  time: (iso: string) => string
}

/** Final lead statuses (rule S3). */
const ends: ReadonlySet<Lead['status']> = new Set(['done', 'out_of_queue'])

const wipe = '\r\u001b[K'

export class LeadWatch {
  readonly #options: LeadWatchOptions
  #reply: { data: Lead } | undefined

  constructor(options: LeadWatchOptions) {
    this.#options = options
  }

  /** Last reply, unchanged. */
  get reply(): { data: Lead } | undefined {
    return this.#reply
  }

  /** Yields the current lead, and then each change. Throws `WaitedTooLongError` at the timeout. */
  async *changes(): AsyncGenerator<[Lead]> {
    const { read, machine, intervalMs, timeoutMs = Infinity, time } = this.#options
    const began = machine.now()
    let shown = ''
    for (;;) {
      this.#reply = await read()
      const lead = this.#reply.data
      const now = machine.now()
      this.#draw('')
      if (describeStatus(lead) !== shown) yield [lead]
      shown = describeStatus(lead)
      if (ends.has(lead.status)) return
      const left = began + timeoutMs - now
      if (left <= 0)
        throw new WaitedTooLongError(
          `The lead is still ${statusInWords(lead.status)} after ${formatDuration(timeoutMs)}.`,
        )
      this.#draw(`${describeState(lead, time)}, watched for ${formatDuration(now - began)}`)
      await machine.sleep(Math.min(intervalMs, left))
    }
  }

  #draw(text: string): void {
    const { live } = this.#options
    live?.write(wipe + stripControlsFromLine(text).slice(0, live.width() - 1))
  }
}

/** Fields that count as a change. The queue position changes all the time, so it is left out. */
function describeStatus(lead: Lead): string {
  const { status, scheduled_for, scheduled_reason, held_reason, callback_at, late, attempts, last_outcome } = lead
  return JSON.stringify([
    status,
    scheduled_for,
    scheduled_reason,
    held_reason,
    callback_at,
    late,
    attempts,
    last_outcome,
  ])
}

/** "on call", "queued, place 3 in line, about 2m", "scheduled, next call 2026-10-02 08:00:00 (retry after outcome)". */
function describeState(lead: Lead, time: (iso: string) => string): string {
  const { status, place_in_line, estimated_wait_seconds, scheduled_for, scheduled_reason, callback_at, held_reason } =
    lead
  const wait = estimated_wait_seconds === null ? undefined : `about ${formatDuration(estimated_wait_seconds * 1000)}`
  const why = scheduled_reason === null ? '' : ` (${statusInWords(scheduled_reason)})`
  const parts = [
    statusInWords(status),
    status === 'queued' && place_in_line !== null ? `place ${place_in_line} in line` : undefined,
    status === 'queued' ? wait : undefined,
    scheduled_for === null ? undefined : `next call ${time(scheduled_for)}${why}`,
    callback_at === null ? undefined : `callback ${time(callback_at)}`,
    held_reason === null ? undefined : statusInWords(held_reason),
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}

/** A line about the lead for a person: when it changed, its status, what it waits for, and the calls so far. */
export function describeChange(lead: Lead, time: (iso: string) => string): string {
  const { attempts, last_outcome } = lead
  const calls = `${attempts} ${attempts === 1 ? 'call' : 'calls'}`
  const outcome = last_outcome === null ? '' : `, last outcome ${statusInWords(last_outcome)}`
  return `${time(lead.updated)}  ${describeState(lead, time)}${attempts === 0 ? '' : `; ${calls}${outcome}`}`
}
