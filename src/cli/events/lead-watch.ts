/** Polls one lead until it reaches a final status. */
import { fullTime } from '../../output/time.js'
import { statusInWords } from '../../output/value-words.js'
import type { SystemClock } from '../../client/system-clock.js'
import type { Lead } from '../../contract/leads.js'
import { formatDuration } from '../../output/progress.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { WaitedTooLongError } from '../errors/exit-codes.js'

export interface LeadWatchOptions {
  read: () => Promise<{ data: Lead }>
  machine: SystemClock
  intervalMs: number
  /** Undefined for no timeout. */
  timeoutMs: number | undefined
  /** Output for a status line; undefined if stderr is not a terminal. */
  live: { write: (text: string) => void; width: () => number } | undefined
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
    const { read, machine, intervalMs, timeoutMs = Infinity } = this.#options
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
          `The lead is ${statusInWords(lead.status)} still, after ${formatDuration(timeoutMs)}.`,
        )
      this.#draw(`${describeWait(lead)}, watched for ${formatDuration(now - began)}`)
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

function describeWait({
  status,
  place_in_line,
  estimated_wait_seconds,
  scheduled_for,
  callback_at,
  held_reason,
}: Lead): string {
  const wait = estimated_wait_seconds === null ? undefined : `about ${formatDuration(estimated_wait_seconds * 1000)}`
  const parts = [
    statusInWords(status),
    status === 'queued' && place_in_line !== null ? `place ${place_in_line} in line` : undefined,
    status === 'queued' ? wait : undefined,
    scheduled_for === null ? undefined : `until ${fullTime(scheduled_for, { utc: false })}`,
    callback_at === null ? undefined : `until ${fullTime(callback_at, { utc: false })}`,
    held_reason === null ? undefined : statusInWords(held_reason),
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
