/** Finds one event by its id. The API has no request for it, so the list is read, newest first. */
import type { Client, Contract } from '../../client/client.js'
import type { Event } from '../../contract/events.js'
import { pageSizeMax } from '../../contract/limits.js'
import { NoMatchError } from '../errors/exit-codes.js'

/** A search that reads more pages than this says how far it is. */
const quietPages = 3

/** The beginning of an id, as tables show it on narrow screens. */
const shortId = /^evt_[0-9a-f]{8,}…?$/

/** Reads all events that the service keeps, which is 30 days. Throws `NoMatchError` if none has the id. */
export async function findEvent(client: Client<Contract>, id: string, note: (text: string) => void): Promise<Event> {
  const start = shortId.test(id) ? id.replace('…', '') : undefined
  let pages = 0
  let read = 0
  for await (const { body } of client.pages('listEvents', { query: { limit: pageSizeMax } })) {
    const event = body.data.find((one) => one.id === id || (start !== undefined && one.id.startsWith(start)))
    if (event) return event
    pages += 1
    read += body.data.length
    if (pages >= quietPages && (pages - quietPages) % 10 === 0)
      note(`Searching for ${id}: ${read.toLocaleString('en-US')} events read.\n`)
  }
  throw new NoMatchError(
    `There is no event ${JSON.stringify(id)} in the last 30 days.`,
    'svc events list shows events.',
  )
}
