/** The types of event by name, as a person lists them. */
import type { EventType } from '../../contract/events.js'
import { eventTypes } from '../../contract/enums.js'
import { listed } from '../base/flags.js'
import { nearest } from '../errors/suggest.js'
import { UsageError } from '../errors/usage-error.js'

/** Reads a name. Throws `UsageError` for one that is none, with the nearest. */
export function eventTypeOf(name: string): EventType {
  const type = eventTypes.find((known) => known === name)
  if (type) return type
  throw noSuchEvent(name, nearest(name, eventTypes))
}

/** Reads names with commas between. */
export function eventTypesOf(text: string): EventType[] {
  return (listed([text]) ?? []).map(eventTypeOf)
}

/** Whether a type is meant. */
export type EventFilter = (type: string) => boolean

/** Reads a name or a glob, `call.*`. Throws `UsageError` for one that means no event, with the nearest. */
export function eventFilterOf(glob: string): EventFilter {
  const pattern = new RegExp(`^${glob.split('*').map(escaped).join('.*')}$`)
  const means = (type: string) => pattern.test(type)
  if (eventTypes.some(means)) return means
  const families = new Set(eventTypes.map((type) => type.replace(/\..*/, '.*')))
  throw noSuchEvent(glob, nearest(glob, glob.includes('*') ? [...families] : eventTypes))
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`)

const noSuchEvent = (name: string, near: string | undefined): UsageError =>
  new UsageError(
    `There is no event ${name}.`,
    near ? `Did you mean ${near}?` : `The events are: ${eventTypes.join(', ')}.`,
  )
