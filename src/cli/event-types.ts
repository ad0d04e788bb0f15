/** The types of event by name, as a person lists them. */
import type { EventType } from '../contract/events.js'
import { eventTypes } from '../contract/words.js'
import { nearest } from './suggest.js'
import { UsageError } from './usage-error.js'

/** Reads a name. Throws `UsageError` for one that is none, with the nearest. */
export function eventTypeOf(name: string): EventType {
  const type = eventTypes.find((known) => known === name)
  if (type) return type
  const near = nearest(name, eventTypes)
  throw new UsageError(
    `There is no event ${name}.`,
    near ? `Did you mean ${near}?` : `The events are: ${eventTypes.join(', ')}.`,
  )
}

/** Reads names with commas between. */
export function eventTypesOf(text: string): EventType[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map(eventTypeOf)
}
