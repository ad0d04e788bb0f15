/** Drops the fields of a record that say nothing to a person at a terminal. Scripts and `--columns` still get them. */

import { refusalInWords } from './refusal-words.js'

/** Values by field that a person expects, so that only others are shown. */
const expected: Readonly<Record<string, unknown>> = {
  livemode: false,
  dry_run: false,
  requeued: false,
  any_hour: false,
  late: false,
  call_now: false,
  // The first in line is being called.
  place_in_line: 0,
  estimated_wait_seconds: 0,
}

/** Objects whose keys are data. */
const usersNames: ReadonlySet<string> = new Set(['fields', 'by_code', 'labels'])

/** The record without expected values, without labels that only repeat their field, and with words for error codes. */
export function withoutNoise(record: unknown): unknown {
  if (Array.isArray(record)) return record.map(withoutNoise)
  if (typeof record !== 'object' || record === null) return record
  const fields = withoutGuesses(record as Readonly<Record<string, unknown>>)
  const kept = Object.entries(fields).filter(
    ([name, value]) =>
      !(name === 'object' && typeof value === 'string') &&
      !(name in expected && expected[name] === value) &&
      !(name.endsWith('_label') && sameWords(value, fields[name.slice(0, -'_label'.length)])),
  )
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      isCounts(name, value)
        ? byReason(value)
        : usersNames.has(name)
          ? value
          : (isEvent(name, value) ?? withoutNoise(value)),
    ]),
  )
}

/**
 * The fields without those that would be a second or a wrong answer. A scheduled lead is called at `scheduled_for`, and its
 * `next_dial_at` is only when its own time comes. A number that cannot be read is not known to be off the list.
 */
function withoutGuesses(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { next_dial_at: _next, ...others } = fields
  const isTimeKnown = typeof fields['scheduled_for'] === 'string' || typeof fields['callback_at'] === 'string'
  const kept = isTimeKnown ? others : fields
  return 'onDncList' in kept && kept['normalizedPhone'] === null ? { ...kept, onDncList: 'unknown' } : kept
}

const isCounts = (name: string, value: unknown): value is object =>
  name === 'by_code' && typeof value === 'object' && value !== null

/** Counts by error code become counts by reason: "On the Do Not Call list". */
function byReason(counts: object): object {
  const inWords = (code: string, count: unknown) => {
    const words = refusalInWords(code, Number(count))
    return words === code ? code : words.charAt(0).toUpperCase() + words.slice(1)
  }
  return Object.fromEntries(Object.entries(counts).map(([code, count]) => [inWords(code, count), count]))
}

/** The subject of an event keeps its kind, which is its title. */
function isEvent(name: string, value: unknown): unknown {
  if (name !== 'data' || typeof value !== 'object' || value === null || !('object' in value)) return undefined
  const { object: subject } = value
  if (typeof subject !== 'object' || subject === null || !('object' in subject)) return undefined
  return {
    ...(withoutNoise(value) as object),
    object: { object: subject.object, ...(withoutNoise(subject) as object) },
  }
}

/** "Voicemail" says no more than `voicemail`; a label of the organization does. */
const sameWords = (label: unknown, value: unknown): boolean =>
  label === null || (typeof label === 'string' && typeof value === 'string' && wordsOf(label) === wordsOf(value))

const wordsOf = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ')
