/** The events of an account as they come, oldest first: the list of events, read again and again from where it was left. */
import type { Client, Contract } from '../client/client.js'
import type { Event, EventType } from '../contract/events.js'

export interface FeedOptions {
  /** Events of this type alone. */
  type?: EventType | undefined
  /** Begin with the events of this moment and later; with what happens from now on when left out. */
  since?: string | undefined
  /** Begin with what came after this event. */
  after?: string | undefined
}

/** The most that a page may hold (specification, Limits). */
const limit = 100

export class EventFeed {
  readonly #client: Client<Contract>
  readonly #options: FeedOptions
  /** The id of the newest event given out; undefined: none yet. */
  #last: string | undefined

  private constructor(client: Client<Contract>, options: FeedOptions, last: string | undefined) {
    this.#client = client
    this.#options = options
    this.#last = last
  }

  /** Finds where to begin. An `after` that names no event is refused by the service. */
  static async open(client: Client<Contract>, options: FeedOptions): Promise<EventFeed> {
    const { type, since, after } = options
    if (after !== undefined) await client.call('listEvents', { query: { starting_after: after, limit: 1 } })
    if (after !== undefined || since !== undefined) return new EventFeed(client, options, after)
    const { body } = await client.call('listEvents', { query: { type, limit: 1 } })
    return new EventFeed(client, options, body.data[0]?.id)
  }

  /**
   * What came since the last time, oldest first. The list has the newest in front, so that all that stands before the
   * last one known is new; where that one is gone, everything is. A failed reading loses nothing: the next begins where
   * this one did.
   */
  async next(): Promise<Event[]> {
    const { type, since } = this.#options
    const query = { type, limit, 'created[gte]': this.#last === undefined ? since : undefined }
    const news: Event[] = []
    for await (const { body } of this.#client.pages('listEvents', { query })) {
      const known = body.data.findIndex(({ id }) => id === this.#last)
      news.push(...(known < 0 ? body.data : body.data.slice(0, known)))
      if (known >= 0) break
    }
    this.#last = news[0]?.id ?? this.#last
    return news.reverse()
  }
}
