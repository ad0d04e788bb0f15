/** How far long work has come: a bar that redraws at a terminal, a line now and then elsewhere. Silent for its first second. */
import { stripControlsFromLine } from './sanitize.js'

export interface Step {
  done: number
  /** Undefined where nobody knows yet. */
  total?: number | undefined
  /** A word on the state of things, such as a rate. */
  note?: string | undefined
  /** Milliseconds still to go, where that is known better than by what it took so far. */
  leftMs?: number | undefined
}

export interface ProgressOptions {
  /** What is being counted: `leads`. */
  what: string
  atTerminal: boolean
  width: number
  write: (text: string) => void
  /** Milliseconds of the machine's clock. */
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

  /** Tells a new state; shows it if it is time to. */
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

  /** Takes the bar away, so that other text can stand in its place. */
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

/** A length of time in its two largest units. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}
