/** A local server that receives the webhooks of a run. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  /** First part of the path below the address of the receiver: it names the endpoint. */
  token: string
  method: string
  headers: IncomingHttpHeaders
  body: Buffer
  /** System time in milliseconds. */
  at: number
}

export interface ReceiverAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
  /** The answer is held until this settles. */
  until?: Promise<unknown>
}

const bodyMax = 1_000_000

export class Receiver {
  readonly received: Received[] = []
  readonly #answers = new Map<string, ReceiverAnswer>()
  readonly #server: Server
  readonly #waiting = new Set<() => void>()
  #open = 0
  /** The largest number of requests under way at the same time. */
  mostAtOnce = 0

  static async start(port = 0): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>((resolve, reject) => {
      receiver.#server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    return receiver
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Sets the answer to an endpoint's webhooks; 200 by default. */
  answer(token: string, answer: ReceiverAnswer): void {
    this.#answers.set(token, answer)
  }

  /** The first request that fits, waiting for it up to `ms`. */
  async wait(fits: (received: Received) => boolean, ms: number, signal: AbortSignal): Promise<Received | undefined> {
    const until = AbortSignal.any([signal, AbortSignal.timeout(ms)])
    for (;;) {
      const found = this.received.find(fits)
      if (found || until.aborted) return found
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake)
          until.removeEventListener('abort', wake)
          resolve()
        }
        this.#waiting.add(wake)
        until.addEventListener('abort', wake, { once: true })
      })
    }
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#open)
    response.once('close', () => this.#open--)
    try {
      const parts: Buffer[] = []
      let length = 0
      for await (const part of request as AsyncIterable<Buffer>) {
        length += part.length
        if (length > bodyMax) return void request.destroy()
        parts.push(part)
      }
      const token = tokenOf(request.url ?? '')
      const { method = '', headers } = request
      this.received.push({ token, method, headers, body: Buffer.concat(parts), at: Date.now() })
      for (const wake of this.#waiting) wake()
      const { status, headers: own = {}, body = '', until } = this.#answers.get(token) ?? { status: 200 }
      await until
      response.writeHead(status, own).end(body)
    } catch {
      // The sender hung up.
    }
  }
}

/** The last part of the path: a tunnel may put its own in front. */
const tokenOf = (url: string): string => (url.split('?')[0] ?? '').split('/').at(-1) ?? ''
