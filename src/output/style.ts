/** Output style, decided once per run. */
import type { Format } from './format.js'
import type { JqFilter } from './jq.js'

export interface Style {
  format: Format
  /** True at a terminal: outside text is sanitized, and times may be relative. */
  terminal: boolean
  color: boolean
  /** Width of the terminal in columns. */
  width: number
  /** False leaves out the header row. */
  header: boolean
  /** Selected columns; undefined for the default ones. */
  columns: readonly string[] | undefined
  /** Base of relative times, in milliseconds since the epoch. */
  now: number
  /** True shows times as ISO in UTC. */
  utc: boolean
  /** Filters JSON output; undefined prints it whole. */
  filter?: JqFilter | undefined
}

/** True if color is wanted (no-color.org): only at a terminal, and not with `NO_COLOR` or `TERM=dumb`. */
export function wantsColor(
  terminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
  asked: boolean,
): boolean {
  return terminal && asked && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}

/** True if a line can be erased and drawn again: at a terminal that is not `TERM=dumb`. */
export function canRedraw(stream: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): boolean {
  return Boolean(stream.isTTY) && env['TERM'] !== 'dumb'
}
