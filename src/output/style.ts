/** How results are to look, decided once per run. */
import type { Format } from './format.js'

export interface Style {
  format: Format
  /** True where a person reads along: outside text is made harmless, times may be relative. */
  terminal: boolean
  colour: boolean
  /** Columns of the terminal. */
  width: number
  /** False leaves the line of column names out. */
  header: boolean
  /** The columns asked for; undefined: the kind's own. */
  columns: readonly string[] | undefined
  /** Milliseconds since the epoch: what relative times are relative to. */
  now: number
}

/** True where colour is wanted (no-color.org): never without a terminal, `NO_COLOR` or `TERM=dumb` switch it off. */
export function wantsColor(
  terminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
  asked: boolean,
): boolean {
  return terminal && asked && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}
