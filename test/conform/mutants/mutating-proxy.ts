/** A reverse proxy in front of a simulator that changes requests, replies and webhooks, as a faulty deployment would. */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { basePath } from '../../../simulator/http/api-routes.js'

export interface Asked {
  method: string
  /** Below the base path, without the query. A signed link has its whole path. */
  path: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export type Next = (asked: Asked) => Promise<Answer>

/** What a faulty deployment does with requests and with the webhooks that it sends. */
export interface Fault {
  request?: (asked: Asked, next: Next, deployment: MutatingProxy) => Promise<Answer>
  delivery?: (asked: Asked, next: Next) => Promise<Answer>
}

/** Webhooks go through the proxy, to the address at the end of this path. */
const relayPath = '/relay/'

export class MutatingProxy {
  readonly #server: Server

  /** `authorization` is that of a valid key. */
  static async start(origin: string, authorization: string, fault: Fault): Promise<MutatingProxy> {
    const proxy = new MutatingProxy(origin, authorization, fault)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  private constructor(
    readonly origin: string,
    readonly authorization: string,
    readonly fault: Fault,
  ) {
    this.#server = createServer((asked, response) => {
      this.#serve(asked, response).catch(() => response.destroy())
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get baseUrl(): string {
    return this.url + basePath
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(resolve))
  }

  /** Sends a request to the true simulator with the valid key. */
  ask(method: string, path: string, body?: object): Promise<Answer> {
    const [address = '', search = ''] = path.split('?')
    const headers = { authorization: this.authorization, 'content-type': 'application/json' }
    const text = body === undefined ? '' : JSON.stringify(body)
    return this.#forward({
      method,
      path: address,
      query: new URLSearchParams(search),
      headers,
      body: Buffer.from(text),
    })
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const [address, search] = splitOnce(url, '?')
    const asked: Asked = {
      method,
      path: address,
      query: new URLSearchParams(search),
      headers,
      body: await buffer(incoming),
    }
    const answer = await this.#answer(asked, url)
    const {
      'content-length': _length,
      'transfer-encoding': _encoding,
      connection: _connection,
      ...kept
    } = answer.headers
    response.sendDate = false
    response.writeHead(answer.status, { ...kept, 'content-length': answer.body.length }).end(answer.body)
  }

  #answer(asked: Asked, url: string): Promise<Answer> {
    if (url.startsWith(relayPath)) {
      const target = Buffer.from(url.slice(relayPath.length), 'base64url').toString()
      const deliver = (letter: Asked) => exchange(target, letter)
      return (this.fault.delivery ?? ((letter, next) => next(letter)))(asked, deliver)
    }
    const isApi = asked.path.startsWith(`${basePath}/`) || asked.path === basePath
    const below = isApi ? { ...asked, path: asked.path.slice(basePath.length) } : asked
    const next = async (changed: Asked) => this.#restored(await this.#forward(this.#relayed(changed), url))
    return this.fault.request ? this.fault.request(below, next, this) : next(below)
  }

  /** The original URL is used if nothing of it was changed, because its spelling may matter. */
  #forward(asked: Asked, original?: string): Promise<Answer> {
    const path = asked.path.startsWith('/storage/') ? asked.path : basePath + asked.path
    const search = asked.query.toString()
    const written = original && new URLSearchParams(splitOnce(original, '?')[1]).toString() === search
    const query = written ? splitOnce(original, '?')[1] : search
    return exchange(`${this.origin}${path}${query && '?'}${query}`, asked)
  }

  /** Lets the simulator send webhooks through this proxy. */
  #relayed(asked: Asked): Asked {
    if (!this.fault.delivery || !/^\/webhook_endpoints/.test(asked.path)) return asked
    const body = jsonOf<{ url?: unknown }>(asked.body)
    if (typeof body?.url !== 'string' || !body.url.startsWith('http://127.0.0.1')) return asked
    const url = this.url + relayPath + Buffer.from(body.url).toString('base64url')
    return { ...asked, body: Buffer.from(JSON.stringify({ ...body, url })) }
  }

  /** Shows the address that was sent instead of the relay's. */
  #restored(answer: Answer): Answer {
    if (!this.fault.delivery) return answer
    const relay = new RegExp(`${this.url}${relayPath}([\\w-]+)`, 'g')
    const text = answer.body
      .toString()
      .replaceAll(relay, (_, coded: string) => Buffer.from(coded, 'base64url').toString())
    return { ...answer, body: Buffer.from(text) }
  }
}

/** The object in a body; null if it is none. */
export function jsonOf<T = Record<string, unknown>>(body: Buffer): T | null {
  try {
    const value = JSON.parse(body.toString()) as T | null
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function exchange(url: string, { method, headers, body }: Asked): Promise<Answer> {
  const {
    host: _host,
    'content-length': _length,
    'transfer-encoding': _encoding,
    connection: _connection,
    ...kept
  } = headers
  const length =
    body.length > 0 || !['GET', 'HEAD', 'DELETE'].includes(method) ? { 'content-length': String(body.length) } : {}
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...kept, ...length }, agent: false }, (reply) => {
      buffer(reply).then((bytes) => {
        const got = Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]))
        resolve({ status: reply.statusCode ?? 0, headers: got, body: bytes })
      }, reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
