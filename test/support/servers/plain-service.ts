/** Proxies only the API of a simulator: a deployment without a control plane, which can go away and come back. */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEachTest } from '../ends.js'
import { basePath } from '../../../simulator/http/api-routes.js'

const opened: PlainService[] = []
afterEachTest(async () => {
  for (const service of opened.splice(0)) await service.goAway()
})

export class PlainService {
  /** Requests it got: method and path with the query. */
  readonly asked: string[] = []
  #server: Server | undefined
  #port = 0

  /** Starts in front of a simulator at this address. */
  static async before(url: string): Promise<PlainService> {
    const service = new PlainService(url)
    opened.push(service)
    await service.comeBack()
    return service
  }

  private constructor(readonly url: string) {}

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}${basePath}`
  }

  /** How often its events were listed. */
  get looks(): number {
    return this.asked.filter((line) => line.startsWith(`GET ${basePath}/events`)).length
  }

  async comeBack(): Promise<void> {
    const server = createServer((asked, answer) => this.#pass(asked, answer))
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  async goAway(): Promise<void> {
    const closed = new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(null)))
    this.#server?.closeAllConnections()
    this.#server = undefined
    await closed
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method = '', url = '', headers } = asked
    this.asked.push(`${method} ${url}`)
    if (!url.startsWith(basePath)) {
      answer.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
      return
    }
    const passed = request(this.url + url, { method, headers, agent: false }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    // A service that has answered may close the connection before it has read the whole request.
    passed.once('error', () => answer.headersSent || answer.destroy())
    asked.pipe(passed)
  }
}
