/** A real HTTP receiver. Keeps every request and answers as the test sets. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  /** The request target: path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The bytes as received, which signatures are made over. */
  readonly rawBody: Buffer
  /** Wall-clock milliseconds when the body was complete. */
  readonly at: number
}

export interface Reply {
  /** 200 when left out. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Chooses the reply. Return `undefined` after handling the response directly. A promise that never settles hangs. */
export type Answer = (request: Received, response: ServerResponse) => Reply | undefined | Promise<Reply | undefined>

interface Waiting {
  readonly count: number
  readonly met: () => void
}

/** Longer than any wait on a busy machine. A test that fails ends sooner than its own time limit. */
const patienceMs = 60_000

export class Receiver {
  /** Every request so far, in the order in which they were complete. */
  readonly requests: Received[] = []
  /** Highest number of requests open at the same time. */
  mostAtOnce = 0
  /** Number of open requests without an answer. */
  unanswered = 0
  /** Number of requests that their sender aborted before the answer. */
  cutOff = 0
  #open = 0
  #taken = 0
  #waiting = new Set<Waiting>()
  readonly #server: Server

  /** Listens on a free port of 127.0.0.1. By default answers 200 without a body. `answer` can be replaced later. */
  static async start(answer: Answer = () => ({})): Promise<Receiver> {
    const receiver = new Receiver(answer)
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    return receiver
  }

  private constructor(public answer: Answer) {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Every request so far, once there are at least `count`. Throws after `withinMs`. */
  async waitFor(count: number, withinMs = patienceMs): Promise<readonly Received[]> {
    if (this.requests.length < count) await this.#arrival(count, withinMs)
    return this.requests
  }

  /** The first request that `next` has not returned yet. Throws after `withinMs`. */
  async next(withinMs = patienceMs): Promise<Received> {
    const place = this.#taken++
    const request = (await this.waitFor(place + 1, withinMs))[place]
    if (request === undefined) throw new Error(`request ${place + 1} vanished from the receiver`)
    return request
  }

  /** Stops listening and closes open connections, hanging ones too. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  #arrival(count: number, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        count,
        met: () => {
          clearTimeout(timer)
          this.#waiting.delete(waiting)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        const seen = this.requests.map((request) => `  ${request.method} ${request.path}`).join('\n')
        const had = `the receiver waited ${withinMs} ms for ${count} requests and had ${this.requests.length}`
        reject(new Error(seen === '' ? had : `${had}:\n${seen}`))
      }, withinMs)
      this.#waiting.add(waiting)
    })
  }

  /** Counts the request as unanswered until there is a reply or its sender closes the connection. */
  #replyTo(received: Received, response: ServerResponse): Reply | undefined | Promise<Reply | undefined> {
    const reply = this.answer(received, response)
    if (!(reply instanceof Promise)) return reply
    let waits = true
    const over = () => {
      if (waits) this.unanswered -= 1
      waits = false
    }
    this.unanswered += 1
    response.once('close', () => {
      if (waits) this.cutOff += 1
      over()
    })
    return reply.finally(over)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#open)
    response.once('close', () => this.#open--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const received: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rawBody: Buffer.concat(chunks),
      at: Date.now(),
    }
    this.requests.push(received)
    for (const waiting of [...this.#waiting]) if (this.requests.length >= waiting.count) waiting.met()
    const reply = await this.#replyTo(received, response)
    if (reply !== undefined) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body)
  }
}
