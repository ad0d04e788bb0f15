/** Progress of long work: a redrawn bar at a terminal, else an occasional line. Prints nothing in the first second. */
import { stripControlsFromLine } from './sanitize.js'
import { cutTo, widthOf } from './table/width.js'

export interface Step {
  done: number
  /** Undefined if unknown. */
  total?: number | undefined
  /** Short status, such as a rate. */
  note?: string | undefined
  /** Remaining milliseconds, if known better than from the time so far. */
  leftMs?: number | undefined
}

/** The part of a terminal stream that a bar needs to follow its width. */
export interface ResizableStream {
  columns?: number | undefined
  on: (event: 'resize', listener: () => void) => unknown
  off: (event: 'resize', listener: () => void) => unknown
}

export interface ProgressOptions {
  /** Unit that is counted: `leads`. */
  what: string
  /** The terminal whose line is redrawn; undefined prints a line now and then. */
  terminal: ResizableStream | undefined
  write: (text: string) => void
  /** The machine's clock, in milliseconds. */
  now: () => number
}

const silentMs = 1000
const redrawMs = 100
const lineMs = 10_000
const barWidth = 24
const narrowestBar = 4
const usualWidth = 100
const wipe = '\r\u001b[K'

export class Progress {
  readonly #options: ProgressOptions
  readonly #began: number
  #shownAt: number
  /** What is on the screen: its text and the step it shows. */
  #drawn: { line: string; step: Step } | undefined

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#began = options.now()
    this.#shownAt = this.#began
  }

  /** Updates the state and redraws if enough time has passed. */
  update(step: Step): void {
    const { terminal, now, write } = this.#options
    const at = now()
    const due = at - this.#began >= silentMs && at - this.#shownAt >= (terminal ? redrawMs : lineMs)
    if (!due) return
    this.#shownAt = at
    if (terminal) this.#draw(step, wipe)
    else write(`${this.#line(step, usualWidth)}\n`)
  }

  /** Clears the bar, so that other text can be printed. */
  clear(): void {
    if (this.#drawn) this.#options.write(wipe)
    this.#drawn = undefined
    this.#options.terminal?.off('resize', this.#redraw)
    process.off('SIGCONT', this.#redraw)
  }

  #draw(step: Step, erase: string): void {
    const { terminal, write } = this.#options
    if (!this.#drawn) {
      terminal?.on('resize', this.#redraw)
      // After Ctrl-Z and fg the shell has written below the bar.
      process.on('SIGCONT', this.#redraw)
    }
    const line = this.#line(step, this.#width - 1)
    this.#drawn = { line, step }
    write(erase + line)
  }

  /** A terminal that became narrower has wrapped the old line, so its first part is some lines above. */
  readonly #redraw = (): void => {
    if (!this.#drawn) return
    const { line, step } = this.#drawn
    const wrapped = Math.max(Math.ceil(widthOf(line) / this.#width) - 1, 0)
    this.#draw(step, wrapped > 0 ? `\r\u001b[${wrapped}A\u001b[J` : wipe)
  }

  get #width(): number {
    return Math.max(this.#options.terminal?.columns || usualWidth, 2)
  }

  /** The line for a width. The bar gets shorter first, then the note and the remaining time are left out. */
  #line({ done, total, note, leftMs }: Step, width: number): string {
    const count = `${countOf(done)}${total === undefined ? '' : ` of ${countOf(total)}`} ${this.#options.what}`
    const isMeasured = total !== undefined && total > 0
    const share = isMeasured ? Math.min(done / total, 1) : 0
    const elapsedMs = this.#shownAt - this.#began
    const left =
      isMeasured && done < total ? (leftMs ?? (done > 0 ? (elapsedMs / done) * (total - done) : undefined)) : undefined
    const parts = [
      isMeasured ? `${Math.floor(share * 100)}%, ${count}` : count,
      ...(left === undefined ? [] : [`${formatDuration(left)} left`]),
      ...(note ? [stripControlsFromLine(note)] : []),
    ]
    while (parts.length > 1 && widthOf(parts.join(', ')) > width) parts.pop()
    const text = parts.join(', ')
    const room = Math.min(barWidth, width - widthOf(text) - 3)
    return isMeasured && room >= narrowestBar ? `${renderBar(share, room)} ${text}` : cutTo(width, text)
  }
}

const countOf = (count: number): string => count.toLocaleString('en-US')

function renderBar(share: number, width: number): string {
  const full = Math.floor(share * width)
  return `[${'='.repeat(full)}${' '.repeat(width - full)}]`
}

/** Formats a duration in its two largest units. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`
}
