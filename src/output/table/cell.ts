/** Formats one value for a terminal: sanitized text and color. */
import type { ChalkInstance } from 'chalk'
import { valueInWords } from '../value-words.js'
import { plainText } from '../flatten.js'
import { stripControlsFromLine } from '../sanitize.js'
import { isDateTime, shortTime, type TimeStyle } from '../time.js'

export interface Cell {
  text: string
  /** True for a local time, which needs a note that names the zone. */
  isLocalTime?: boolean
  paint?: ((text: string) => string) | undefined
  /** The cell to show instead if this column is left out. */
  unlessShown?: { column: string; cell: Cell }
}

export type Paint = ChalkInstance

export interface CellStyle extends TimeStyle {
  paint: Paint
  /** True shows only the beginning of ids. */
  shortIds?: boolean
  /** True says values of the API in words, for a person. */
  inWords?: boolean
}

type Hue = 'green' | 'yellow' | 'red' | 'cyan' | 'dim'

/** Colors of statuses, outcomes and booleans, by API value. */
const hues: Readonly<Record<string, Hue>> = {
  queued: 'cyan',
  scheduled: 'yellow',
  held: 'yellow',
  dialing: 'green',
  on_call: 'green',
  callback_scheduled: 'cyan',
  done: 'dim',
  out_of_queue: 'dim',
  ringing: 'cyan',
  in_progress: 'green',
  ended: 'dim',
  interested: 'green',
  callback: 'cyan',
  dnc: 'red',
  failed: 'red',
  gave_up: 'red',
  pending: 'yellow',
  sent: 'green',
  skipped_paused: 'yellow',
  active: 'green',
  running: 'green',
  paused: 'yellow',
  not_started: 'yellow',
  completed: 'dim',
  ready: 'green',
  processing: 'yellow',
  expired: 'dim',
}

const statusColumns = /(^|\.)(status|outcome|last_outcome)$/
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const eventIdForm = /^evt_[0-9a-f]{32}$/
const shortIdLength = 8

/** A table cell. Times are relative to now if they are close. */
export function formatCell(column: string, value: unknown, style: CellStyle): Cell {
  const { paint } = style
  if (value === null || value === undefined || value === '') return { text: '-', paint: paint.dim }
  if (isDateTime(value)) {
    const { text, isLocal } = shortTime(value, style)
    return { text, isLocalTime: isLocal }
  }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', paint: value ? undefined : paint.dim }
  if (style.shortIds && typeof value === 'string' && uuidForm.test(value))
    return { text: `${value.slice(0, shortIdLength)}…` }
  if (style.shortIds && typeof value === 'string' && eventIdForm.test(value))
    return { text: `${value.slice(0, 'evt_'.length + shortIdLength)}…` }
  const hue = statusColumns.test(column) ? hueOf(value) : undefined
  const text = style.inWords ? valueInWords(column, value) : plainText(value)
  return { text: stripControlsFromLine(text || '-'), paint: hue && paint[hue] }
}

/** Numbers are HTTP statuses. */
function hueOf(value: unknown): Hue | undefined {
  if (typeof value === 'number') return value >= 200 && value < 300 ? 'green' : 'red'
  return typeof value === 'string' ? hues[value] : undefined
}
