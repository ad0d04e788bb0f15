/** Checks that a reply fits its request: the page, its filters, and the fields that follow from each other. */
import type { EndpointName } from '../../../contract/index.js'
import type { Event } from '../../../contract/events.js'
import type { Note } from '../exchange.js'
import type { Answered, Relations } from './answered.js'
import { callRelations, checkCall } from './calls.js'
import { leadRelations, checkLead } from './leads.js'
import { listRelations } from './lists.js'
import { checkEvent, otherRelations } from './others.js'

const relations: Relations = { ...listRelations, ...leadRelations, ...callRelations, ...otherRelations }

/** Checks every item of a list like a single one. */
const itemChecks: { readonly [N in EndpointName]?: (at: string, item: never, note: Note) => void } = {
  listLeads: checkLead,
  listCalls: checkCall,
  listEvents: (at: string, event: Event, note: Note) => checkEvent(at, event, note),
}

/** The reply must have the shape of its endpoint. */
export function checkRelations(name: EndpointName, answered: Answered, note: Note): void {
  const relation = relations[name] as ((answered: Answered, note: Note) => void) | undefined
  relation?.(answered, note)
  const { data } = answered.reply as { data: unknown }
  const items = Array.isArray(data) ? (data as unknown[]) : [data]
  const check = itemChecks[name]
  if (!check) return
  items.forEach((item, index) => check(Array.isArray(data) ? `body data[${index}]` : 'body data', item as never, note))
}
