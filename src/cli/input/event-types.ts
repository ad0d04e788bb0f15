/** The types of event by name, as a person lists them. */
import type { EventType } from '../../contract/events.js'
import { eventTypes } from '../../contract/enums.js'
import { listFlag } from '../base/flags.js'
import { nearestWord } from '../errors/suggest.js'
import { UsageError } from '../errors/usage-error.js'

/** Reads a name. Throws `UsageError` for one that is none, with the nearest. */
export function parseEventType(name: string): EventType {
  const type = eventTypes.find((known) => known === name)
  if (type) return type
  throw noSuchEvent(name, nearestWord(name, eventTypes))
}

/** Reads names with commas between. */
export function parseEventTypes(text: string): EventType[] {
  return (listFlag([text]) ?? []).map(parseEventType)
}

/** Whether a type is meant. */
export type EventFilter = (type: string) => boolean

/** Reads a name or a glob, `call.*`. Throws `UsageError` for one that means no event, with the nearest. */
export function parseEventFilter(glob: string): EventFilter {
  const pattern = new RegExp(`^${glob.split('*').map(escapeRegExp).join('.*')}$`)
  const means = (type: string) => pattern.test(type)
  if (eventTypes.some(means)) return means
  const families = new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))
  throw noSuchEvent(glob, nearestWord(glob, glob.includes('*') ? [...families] : eventTypes))
}

const escapeRegExp = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`)

const noSuchEvent = (name: string, near: string | undefined): UsageError =>
  new UsageError(
    `There is no event ${name}.`,
    near ? `Did you mean ${near}?` : `The events are: ${eventTypes.join(', ')}.`,
  )
