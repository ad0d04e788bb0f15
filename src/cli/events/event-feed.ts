/** The events of an account as they come, oldest first: the list of events, read again and again from where it was left. */
import type { Client, Contract } from '../../client/client.js'
import { ApiError } from '../../client/errors.js'
import { CursorLog, nextCursor } from '../../client/pages.js'
import type { CallOptions } from '../../client/transport.js'
import { pageSizeMax } from '../../contract/limits.js'
import type { Event } from '../../contract/events.js'

/** An event by what tells it from every other: a service that was begun anew may give the same ids again. */
export interface Mark {
  id: string
  created?: string
}

export interface FeedOptions {
  /** Begin with the events of this moment and later. */
  since?: string | undefined
  /** Begin after this event; null: with the first there is. With neither of the two it begins now. */
  after?: Mark | null | undefined
  /** Told once when that event is not in the list any more, so that everything in the list is new. */
  onGone?: ((mark: Mark) => void) | undefined
  /** Told how many events of a page were passed over because they have no id or no type. */
  onOdd?: ((count: number) => void) | undefined
  /** Told once it has found its place in another world: the event it goes on after there. */
  onReplaced?: ((after: Mark | null) => void) | undefined
}

/** Most of the time there is nothing new, or little. */
const firstPageSize = 10
/** Of the pages on the way back to where it was left, so many are kept; the others are read again when their turn comes. */
const pagesKept = 20

interface Page {
  /** What it begins after; undefined: it is the first. */
  cursor: string | undefined
  /** The new events of it, newest first; undefined where it must be read again. */
  events: readonly Event[] | undefined
}

export class EventFeed {
  readonly #client: Client<Contract>
  readonly #options: FeedOptions
  /** The newest event given out; null: none yet. */
  #last: Mark | null
  /** What the list held when it was looked at last and is still to be given out, newest first. */
  #pages: Page[] = []
  /** Where the way back goes on; null: it has arrived. */
  #next: { cursor: string | undefined } | null = null
  /** Where the list is cut while no event of it is known. */
  #beginning: string | undefined
  /** Where it is cut on this way. */
  #since: string | undefined
  /** The list is that of another world, which had these events from the start. */
  #known: ReadonlySet<string> | undefined
  #isLimited = false
  /** The cursors of the present way back. */
  #followed = new CursorLog()

  private constructor(client: Client<Contract>, options: FeedOptions, last: Mark | null) {
    this.#client = client
    this.#options = options
    this.#beginning = options.since
    this.#last = last
  }

  /** Finds where to begin. An `after` of which no more is known than its id is refused by the service if it is none. */
  static async open(client: Client<Contract>, options: FeedOptions, call?: CallOptions): Promise<EventFeed> {
    const { since, after } = options
    const query = { limit: 1, 'created[gte]': since, starting_after: after?.created ? undefined : after?.id }
    const { body } = await client.call('listEvents', { query }, call)
    const newest = body.data.find(isUsable)
    const last = after !== undefined ? after : since === undefined && newest ? markOf(newest) : null
    return new EventFeed(client, options, last)
  }

  /** The newest event given out, or the one it begins after. */
  get last(): Mark | null {
    return this.#last
  }

  /** False while it knows of more events than it has given out. */
  get caughtUp(): boolean {
    return this.#pages.length === 0 && this.#next === null
  }

  /** Whether the service counts requests. */
  get isLimited(): boolean {
    return this.#isLimited
  }

  /** From now on the list is that of another world, which had these events from the start: those after them are new. */
  replace(known: readonly string[]): void {
    this.#known = new Set(known)
  }

  /**
   * The next events, oldest first, at most a page of them; none where there are no more for now. The list has the newest
   * in front, so the way goes back to the last one known, and then forward, page by page. A failed reading loses
   * nothing: the next goes on where this one was.
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
      // The list was begun anew on the way: there is no going on in the old one.
      if (!(error instanceof ApiError && error.refusal.param === 'starting_after')) throw error
      ;[this.#pages, this.#next] = [[], null]
      return []
    }
  }

  /** Finds the newest event that is not new. */
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

  /** Events that can be told apart. What has no id or no type could not be settled, and not be gone on from. */
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

/** Ids and types are sent as headers too. */
const isWord = (value: unknown): boolean => typeof value === 'string' && /^[!-~]{1,255}$/.test(value)

const markOf = ({ id, created }: Event): Mark => ({ id, created })
