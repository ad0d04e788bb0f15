/** Local webhook receiver that passes on raw requests. Used in place of a developer's server. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Receiver {
  url: string
  close(): Promise<void>
}

/** Answers each webhook with the status that `take` returns. */
export async function startReceiver(take: (received: Received) => Promise<number>): Promise<Receiver> {
  const server = createServer((request, response) => {
    buffer(request)
      .then((body) => take({ headers: request.headers, body }))
      .then((status) => response.writeHead(status).end())
      .catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url: `http://127.0.0.1:${port}/webhooks`, close }
}
