/** Progress of long work: a redrawn bar at a terminal, else an occasional line. Prints nothing in the first second. */
import { stripControlsFromLine } from './sanitize.js'

export interface Step {
  done: number
  /** Undefined if unknown. */
  total?: number | undefined
  /** Short status, such as a rate. */
  note?: string | undefined
  /** Remaining milliseconds, if known better than from the time so far. */
  leftMs?: number | undefined
}

export interface ProgressOptions {
  /** Unit that is counted: `leads`. */
  what: string
  atTerminal: boolean
  width: number
  write: (text: string) => void
  /** The machine's clock, in milliseconds. */
  now: () => number
}

const silentMs = 1000
const redrawMs = 100
const lineMs = 10_000
const barWidth = 24
const wipe = '\r\u001b[K'

export class Progress {
  readonly #options: ProgressOptions
  readonly #began: number
  #shownAt: number
  #drawn = false

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#began = options.now()
    this.#shownAt = this.#began
  }

  /** Updates the state and redraws if enough time has passed. */
  update(step: Step): void {
    const { atTerminal, now, write, width } = this.#options
    const at = now()
    const due = at - this.#began >= silentMs && at - this.#shownAt >= (atTerminal ? redrawMs : lineMs)
    if (!due) return
    this.#shownAt = at
    const line = stripControlsFromLine(this.#line(step, at - this.#began))
    write(atTerminal ? wipe + line.slice(0, Math.max(width - 1, 1)) : `${line}\n`)
    this.#drawn = atTerminal
  }

  /** Clears the bar, so that other text can be printed. */
  clear(): void {
    if (this.#drawn) this.#options.write(wipe)
    this.#drawn = false
  }

  #line({ done, total, note, leftMs }: Step, elapsedMs: number): string {
    const parts = [`${done}${total === undefined ? '' : ` of ${total}`} ${this.#options.what}`]
    if (total !== undefined && total > 0) {
      const share = Math.min(done / total, 1)
      parts.unshift(`${renderBar(share)} ${Math.floor(share * 100)}%`)
      const left = leftMs ?? (done > 0 ? (elapsedMs / done) * (total - done) : undefined)
      if (done < total && left !== undefined) parts.push(`${formatDuration(left)} left`)
    }
    if (note) parts.push(note)
    return parts.join(', ')
  }
}

function renderBar(share: number): string {
  const full = Math.floor(share * barWidth)
  return `[${'='.repeat(full)}${' '.repeat(barWidth - full)}]`
}

/** Formats a duration in its two largest units. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}
