/** Formats one value for a terminal: sanitized text and color. */
import type { ChalkInstance } from 'chalk'
import { fieldText } from './columns.js'
import { stripControlsFromLine } from './sanitize.js'
import { isDateTime, relativeTime } from './time.js'

export interface Cell {
  text: string
  paint?: ((text: string) => string) | undefined
}

export type Paint = ChalkInstance

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

/** A table cell. Times are relative to now. */
export function formatCell(column: string, value: unknown, now: number, paint: Paint): Cell {
  if (value === null || value === undefined || value === '') return { text: '-', paint: paint.dim }
  if (isDateTime(value)) return { text: relativeTime(value, now) }
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return { text: stripControlsFromLine(value.join(', ')) }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no', paint: value ? undefined : paint.dim }
  const hue = statusColumns.test(column) ? hueOf(value) : undefined
  return { text: stripControlsFromLine(fieldText(value)), paint: hue && paint[hue] }
}

/** Numbers are HTTP statuses. */
function hueOf(value: unknown): Hue | undefined {
  if (typeof value === 'number') return value >= 200 && value < 300 ? 'green' : 'red'
  return typeof value === 'string' ? hues[value] : undefined
}
