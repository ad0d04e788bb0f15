/** A contract's endpoints as calls: typed by the contract, carried by a transport. */
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

/** The endpoints whose reply is a list in pages. */
export type Listed<C extends Endpoints> = {
  [Name in keyof C]: Extract<ReplyOf<C[Name]>, { data: readonly unknown[] }> extends never ? never : Name
}[keyof C]

/** One page of a list's reply. */
export type PageOf<E> = Extract<ReplyOf<E>, Page>

export class Client<C extends Endpoints> {
  readonly #routes: Readonly<Record<keyof C, Route>>
  readonly #transport: Transport

  /** `routes` is the contract itself, or no more of it than methods and paths. */
  constructor(routes: Readonly<Record<keyof C, Route>>, transport: Transport) {
    this.#routes = routes
    this.#transport = transport
  }

  /** Calls an endpoint by its name in the contract. Throws as `Transport.request` does. */
  async call<Name extends keyof C>(
    name: Name,
    { params, query, body }: RequestOf<C[Name]>,
    options?: CallOptions,
  ): Promise<Reply<ReplyOf<C[Name]>>> {
    const { method, path } = this.#routes[name]
    const parts = { query: query as Query | undefined, body }
    const reply = await this.#transport.request(method, fillPath(path, params as Record<string, unknown>), parts, {
      ...options,
      fits: (answered) => hasReplyShape(String(name), parts.query, answered),
    })
    return reply as Reply<ReplyOf<C[Name]>>
  }

  /** Every page of a list from the one the request asks for on. */
  pages<Name extends Listed<C>>(
    name: Name,
    request: RequestOf<C[Name]>,
    options?: CallOptions,
  ): AsyncGenerator<Reply<PageOf<C[Name]>>> {
    return followPages(async (cursor) => {
      const asked = request.query as Query | undefined
      const query = { ...asked, ...(cursor ? { [this.cursorName(name)]: cursor } : {}) }
      return (await this.call(name, { ...request, query }, options)) as Reply<PageOf<C[Name]>>
    })
  }

  /** What a stream brings, from now on. Throws as `Transport.follow` does. */
  follow<Name extends keyof C>(name: Name, { query }: Pick<RequestOf<C[Name]>, 'query'>, options?: CallOptions) {
    return this.#transport.follow(this.#routes[name].path, query as Query | undefined, options)
  }

  /** What the cursor of a list is called in its query (specification, Endpoints). */
  cursorName(name: keyof C): 'cursor' | 'starting_after' {
    return cursorNameOf(this.#routes[name].path)
  }

  /** Any request at all below the base address. */
  request(method: string, path: string, parts?: RequestParts, options?: CallOptions): Promise<Reply> {
    return this.#transport.request(method, path, parts, options)
  }
}

/** The DNC list alone calls its cursor so. */
export function cursorNameOf(path: string): 'cursor' | 'starting_after' {
  return path === '/dnc' ? 'cursor' : 'starting_after'
}

/** The client of the service's API. */
export function createClient(options: TransportOptions): Client<Contract> {
  return new Client<Contract>(routes, new Transport(options))
}
