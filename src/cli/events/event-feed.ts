/** Reads the events of an account, oldest first, by polling the event list from the last known event. */
import type { Client, Contract } from '../../client/client.js'
import { ApiError } from '../../client/errors.js'
import { CursorLog, nextCursor } from '../../client/pages.js'
import type { CallOptions } from '../../client/transport.js'
import { pageSizeMax } from '../../contract/limits.js'
import type { Event } from '../../contract/events.js'

/** Identity of an event. A simulator that was reset may reuse ids. */
export interface Mark {
  id: string
  created?: string
}

export interface FeedOptions {
  /** Start with events at this time or later. */
  since?: string | undefined
  /** Start after this event; null starts with the oldest. Without `since` and `after`, starts now. */
  after?: Mark | null | undefined
  /** Called once if that event is no longer in the list. All listed events are then new. */
  onGone?: ((mark: Mark) => void) | undefined
  /** Called with the number of events that were skipped because they have no id or no type. */
  onOdd?: ((count: number) => void) | undefined
  /** Called after the simulator's world was replaced, with the event to continue after. */
  onReplaced?: ((after: Mark | null) => void) | undefined
}

/** Page size of the first request. Usually there are few new events. */
const firstPageSize = 10
/** Number of pages to keep in memory while paging back. The others are read again later. */
const pagesKept = 20

interface Page {
  /** Cursor of the page; undefined for the first page. */
  cursor: string | undefined
  /** New events of the page, newest first; undefined if it must be read again. */
  events: readonly Event[] | undefined
}

export class EventFeed {
  readonly #client: Client<Contract>
  readonly #options: FeedOptions
  /** Newest event that was returned; null if none. */
  #last: Mark | null
  /** Pages that were found and not returned yet, newest first. */
  #pages: Page[] = []
  /** Cursor at which paging back continues; null when it is finished. */
  #next: { cursor: string | undefined } | null = null
  /** Time at which to cut the list while no event is known. */
  #beginning: string | undefined
  /** Time at which this pass cuts the list. */
  #since: string | undefined
  /** Events that a replaced world had from the start. */
  #known: ReadonlySet<string> | undefined
  #isLimited = false
  /** Cursors of the current pass back through the list. */
  #followed = new CursorLog()

  private constructor(client: Client<Contract>, options: FeedOptions, last: Mark | null) {
    this.#client = client
    this.#options = options
    this.#beginning = options.since
    this.#last = last
  }

  /** Finds the starting position. The service rejects an `after` id that does not exist. */
  static async open(client: Client<Contract>, options: FeedOptions, call?: CallOptions): Promise<EventFeed> {
    const { since, after } = options
    const query = { limit: 1, 'created[gte]': since, starting_after: after?.created ? undefined : after?.id }
    const { body } = await client.call('listEvents', { query }, call)
    const newest = body.data.find(isUsable)
    // The list is empty, so that event is not in it: the world was replaced since.
    if (after && body.data.length === 0) {
      options.onGone?.(after)
      return new EventFeed(client, options, null)
    }
    const last = after !== undefined ? after : since === undefined && newest ? markOf(newest) : null
    return new EventFeed(client, options, last)
  }

  /** Newest event that was returned, or the starting event. */
  get last(): Mark | null {
    return this.#last
  }

  /** False while there are known events to return. */
  get caughtUp(): boolean {
    return this.#pages.length === 0 && this.#next === null
  }

  /** True if the service has rate limits. */
  get isLimited(): boolean {
    return this.#isLimited
  }

  /** Switches to a replaced world. Events that it had from the start are not new. */
  replace(known: readonly string[]): void {
    this.#known = new Set(known)
  }

  /**
   * Returns up to a page of the next events, oldest first, or none if there are none yet. The list has the newest
   * first, so this pages back to the last known event and then forward. A failed request loses
   * nothing: the next call continues from there.
   */
  async next(call?: CallOptions): Promise<Event[]> {
    if (this.#known) await this.#beginAnew(this.#known, call)
    if (this.caughtUp) {
      this.#next = { cursor: undefined }
      this.#followed = new CursorLog()
      this.#since = this.#last === null ? this.#beginning : undefined
    }
    try {
      while (this.#next) await this.#goBack(this.#next.cursor, call)
      const page = this.#pages.at(-1)
      if (!page) return []
      const events = page.events ?? (await this.#read(page.cursor, pageSizeMax, call)).data
      this.#pages.pop()
      const [newest] = events
      if (newest) this.#last = markOf(newest)
      return events.toReversed()
    } catch (error) {
      // The list was replaced during the pass, so its cursors are invalid.
      if (!(error instanceof ApiError && error.refusal.param === 'starting_after')) throw error
      ;[this.#pages, this.#next] = [[], null]
      return []
    }
  }

  /** Finds the newest event that is already known. */
  async #beginAnew(known: ReadonlySet<string>, call: CallOptions | undefined): Promise<void> {
    ;[this.#pages, this.#next, this.#beginning, this.#since] = [[], null, undefined, undefined]
    let last: Event | undefined
    const followed = new CursorLog()
    for (let cursor: string | undefined, more = known.size > 0; more && !last;) {
      const { data, meta } = await this.#read(cursor, pageSizeMax, call)
      last = data.find(({ id }) => known.has(id))
      cursor = nextCursor({ data, meta })
      more = cursor !== undefined
      if (cursor !== undefined) followed.follow(cursor)
    }
    this.#last = last ? markOf(last) : null
    if (this.#known === known) this.#known = undefined
    this.#options.onReplaced?.(this.#last)
  }

  async #goBack(cursor: string | undefined, call: CallOptions | undefined): Promise<void> {
    const { data, meta } = await this.#read(cursor, cursor === undefined ? firstPageSize : pageSizeMax, call)
    const known = data.findIndex((event) => this.#isLast(event))
    const events = known < 0 ? data : data.slice(0, known)
    if (events.length > 0) this.#pages.push({ cursor, events })
    const far = this.#pages.at(-1 - pagesKept)
    if (far?.cursor !== undefined) far.events = undefined
    const next = known < 0 ? nextCursor({ data, meta }) : undefined
    if (next !== undefined) this.#followed.follow(next)
    this.#next = next === undefined ? null : { cursor: next }
    if (known < 0 && next === undefined && this.#last) {
      this.#options.onGone?.(this.#last)
      ;[this.#last, this.#beginning] = [null, undefined]
    }
  }

  /** Keeps events that have an id and a type. Others could be neither acknowledged nor used as a cursor. */
  #usable(events: readonly Event[]): Event[] {
    const usable = events.filter(isUsable)
    if (usable.length < events.length) this.#options.onOdd?.(events.length - usable.length)
    return usable
  }

  #isLast({ id, created }: Event): boolean {
    const last = this.#last
    return last !== null && last.id === id && (last.created ?? created) === created
  }

  async #read(cursor: string | undefined, limit: number, call: CallOptions | undefined) {
    const query = { limit, starting_after: cursor, 'created[gte]': this.#since }
    const { body, headers } = await this.#client.call('listEvents', { query }, call)
    this.#isLimited = 'ratelimit-limit' in headers
    return { ...body, data: this.#usable(body.data) }
  }
}

const isUsable = ({ id, type, created }: Partial<Record<keyof Event, unknown>>): boolean =>
  isWord(id) && isWord(type) && (created === undefined || typeof created === 'string')

/** Ids and types are also sent as headers, so they must be valid header values. */
const isWord = (value: unknown): boolean => typeof value === 'string' && /^[!-~]{1,255}$/.test(value)

const markOf = ({ id, created }: Event): Mark => ({ id, created })
