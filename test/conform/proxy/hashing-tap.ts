/** A forwarder that notes every exchange that passes it, with hashes of the bodies. It changes nothing. */
import { createHash } from 'node:crypto'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { forwardedHeaders } from '../../../src/conform/proxy/forwarded-headers.js'

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Headers that differ between two connections: the target, and the framing of the body. */
const ofHop = ['host', 'content-length', 'date']

export class HashingTap {
  /** Method, path, headers, status and hashes of each exchange that was answered, one text each. */
  readonly seen: string[] = []
  readonly #server: Server

  static async before(url: string): Promise<HashingTap> {
    const tap = new HashingTap(new URL(url))
    await new Promise<void>((resolve) => tap.#server.listen(0, '127.0.0.1', resolve))
    return tap
  }

  private constructor(to: URL) {
    this.#server = createServer((asked, answer) => {
      const { method = '', url = '', rawHeaders } = asked
      void buffer(asked).then((sent) => {
        const headers = forwardedHeaders(rawHeaders, ['content-length'])
        if (sent.length > 0) headers.push('Content-Length', String(sent.length))
        const passed = request(
          { host: to.hostname, port: to.port, method, path: url, headers, agent: false },
          (reply) => {
            buffer(reply).then(
              (got) => {
                const lines = [rawHeaders, reply.rawHeaders].map((raw) => forwardedHeaders(raw, ofHop).join('\n'))
                this.seen.push([method, url, hash(sent), reply.statusCode, hash(got), ...lines].join('\n'))
                answer.writeHead(reply.statusCode ?? 0, forwardedHeaders(reply.rawHeaders)).end(got)
              },
              () => answer.destroy(),
            )
          },
        )
        passed.once('error', () => answer.destroy())
        passed.end(sent)
      })
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
