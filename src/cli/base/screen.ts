/** The terminal of a command: notes on stderr, and the printer of results on stdout. */
import type { IO } from '../../config/environment.js'
import { liveBadge } from '../../output/badge.js'
import { formatFor, type Format } from '../../output/format.js'
import type { JqFilter } from '../../output/jq.js'
import { Printer } from '../../output/printer.js'
import { stripControls } from '../../output/sanitize.js'
import { wantsColor } from '../../output/style.js'
import { widthOfScreen, wrapLines } from '../../output/wrap.js'
import type { GlobalFlags } from './flags.js'
import { writeOut } from './write-out.js'

interface PrinterOptions {
  /** The format if the flags name none. */
  usual: Format | undefined
  /** Base of relative times. */
  now: number
  filter: JqFilter | undefined
}

export class Screen {
  readonly #around: IO
  readonly #argv: () => readonly string[]
  readonly #carry: (text: string) => string

  /** `carry` adds `--profile` and `--base-url` to commands that a note tells the user to type. */
  constructor(around: IO, argv: () => readonly string[], carry: (text: string) => string) {
    this.#around = around
    this.#argv = argv
    this.#carry = carry
  }

  /** Writes to stderr unchanged, for a line that is redrawn. The caller must clean text from outside. */
  draw(text: string): void {
    this.#around.stderr.write(text)
  }

  /** Writes a note to stderr. Removes terminal control characters, because the text may come from outside. */
  note(text: string): void {
    this.draw(this.wrap(stripControls(this.#carry(text))))
  }

  /** Breaks lines that are longer than the terminal is wide. */
  wrap(text: string): string {
    return wrapLines(text, this.width)
  }

  get width(): number {
    return widthOfScreen(this.#around.stderr)
  }

  /** Whether notes have colors, also before the flags are parsed. */
  get hasColor(): boolean {
    const { stderr, env } = this.#around
    return wantsColor(Boolean(stderr.isTTY), env, !this.#argv().includes('--no-color'))
  }

  /** Marks a line as one about live mode. */
  get liveBadge(): string {
    return `${liveBadge(this.hasColor)} `
  }

  /** Printer for results; nothing else writes to stdout. */
  printer(flags: GlobalFlags, { usual, now, filter }: PrinterOptions): Printer {
    const { stdout, env } = this.#around
    const { output, json, columns, 'no-header': noHeader, 'no-color': noColor } = flags
    const terminal = Boolean(stdout.isTTY)
    const style = {
      format: (json ? 'json' : output) ?? usual ?? formatFor(undefined, terminal),
      terminal,
      color: wantsColor(terminal, env, !noColor),
      width: stdout.columns || 100,
      header: !noHeader,
      columns: columns?.split(',').map((column) => column.trim()),
      now,
      utc: flags.utc,
      filter,
    }
    return new Printer(style, (text) => writeOut(stdout, text))
  }
}
