/** A contract's endpoints as typed calls over a transport. */
import { pageSizeMax } from '../contract/limits.js'
import type { Endpoint, ReplyOf, RequestOf } from '../contract/base/endpoint.js'
import type { Contract } from '../contract/index.js'
import { followPages, type Page } from './pages.js'
import type { Reply } from './reply.js'
import { routes, type Route } from './routes.js'
import { hasReplyShape } from './shape.js'
import { Transport, type CallOptions, type RequestParts, type TransportOptions } from './transport.js'
import { fillPath, type Query } from './url.js'

export type { Contract } from '../contract/index.js'
export { ApiError, ConnectionError, NotTheApiError, UnsendableError } from './errors.js'

type Endpoints = Readonly<Record<string, Endpoint>>

/** A route of the whole contract also has the schemas of its replies: replies are then checked against them. */
type CheckedRoute = Route & Partial<Pick<Endpoint, 'replies'>>

/** Names of the endpoints that reply with a list in pages. */
export type Listed<C extends Endpoints> = {
  [Name in keyof C]: Extract<ReplyOf<C[Name]>, { data: readonly unknown[] }> extends never ? never : Name
}[keyof C]

/** One page of a list. */
export type PageOf<E> = Extract<ReplyOf<E>, Page>

export class Client<C extends Endpoints> {
  readonly #routes: Readonly<Record<keyof C, CheckedRoute>>
  readonly #transport: Transport
  /** The last reply of each endpoint. If the program fails over one, its shape tells why. */
  readonly lastReplies = new Map<keyof C, Reply>()

  /** `routes` is the contract, or only the methods and paths of it. */
  constructor(routes: Readonly<Record<keyof C, CheckedRoute>>, transport: Transport) {
    this.#routes = routes
    this.#transport = transport
  }

  /** Calls an endpoint by its name in the contract. Throws what `Transport.request` throws. */
  async call<Name extends keyof C>(
    name: Name,
    { params, query, body }: RequestOf<C[Name]>,
    options?: CallOptions,
  ): Promise<Reply<ReplyOf<C[Name]>>> {
    const { method, path, replies } = this.#routes[name]
    const parts = { query: query as Query | undefined, body }
    const reply = await this.#transport.request(method, fillPath(path, params as Record<string, unknown>), parts, {
      ...options,
      fits: (answered) =>
        replies
          ? Object.values(replies).some((schema) => schema.safeParse(answered).success)
          : hasReplyShape(String(name), parts.query, answered),
    })
    this.lastReplies.set(name, reply)
    return reply as Reply<ReplyOf<C[Name]>>
  }

  /**
   * Yields every page of a list, starting with the page that the request asks for. The `limit` of the request may be larger
   * than a page: the pages then hold that many items, and the ones after them are full.
   */
  pages<Name extends Listed<C>>(
    name: Name,
    request: RequestOf<C[Name]>,
    options?: CallOptions,
  ): AsyncGenerator<Reply<PageOf<C[Name]>>> {
    const asked = request.query as Query | undefined
    const most = asked?.['limit']
    let read = 0
    return followPages(async (cursor) => {
      const limit = typeof most === 'number' && { limit: Math.min(pageSizeMax, most > read ? most - read : most) }
      const query = { ...asked, ...limit, ...(cursor ? { [this.cursorName(name)]: cursor } : {}) }
      const page = (await this.call(name, { ...request, query }, options)) as Reply<PageOf<C[Name]>>
      read += page.body.data.length
      return page
    })
  }

  /** Yields the events of a stream from now on. Throws what `Transport.follow` throws. */
  follow<Name extends keyof C>(name: Name, { query }: Pick<RequestOf<C[Name]>, 'query'>, options?: CallOptions) {
    return this.#transport.follow(this.#routes[name].path, query as Query | undefined, options)
  }

  /** The query parameter that holds a list's cursor. */
  cursorName(name: keyof C): 'cursor' | 'starting_after' {
    return cursorNameOf(this.#routes[name].path)
  }

  /** Sends any request below the base address. */
  request(method: string, path: string, parts?: RequestParts, options?: CallOptions): Promise<Reply> {
    return this.#transport.request(method, path, parts, options)
  }
}

/** Only the Do Not Call list calls its cursor `cursor`; the other lists call it `starting_after`. */
export function cursorNameOf(path: string): 'cursor' | 'starting_after' {
  return path === '/dnc' ? 'cursor' : 'starting_after'
}

/** Creates the client of the service's API. */
export function createClient(options: TransportOptions): Client<Contract> {
  return new Client<Contract>(routes, new Transport(options))
}
