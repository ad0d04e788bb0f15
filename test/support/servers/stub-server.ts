/** An HTTP server that answers as a test says and records its requests. It closes with the test or the test file. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEachFile, afterEachTest } from '../ends.js'

export interface Asked {
  method: string
  /** Path with the query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Stub {
  /** Base address of the API's form. */
  baseUrl: string
  asked: Asked[]
}

/** Answers one request. `turn` counts requests from 0. */
export type Answering = (asked: Asked, response: ServerResponse, turn: number) => void

const closers = { test: [] as (() => Promise<void>)[], file: [] as (() => Promise<void>)[] }
const close = async (which: keyof typeof closers) => {
  for (const closeOne of closers[which].splice(0)) await closeOne()
}
afterEachTest(() => close('test'))
afterEachFile(() => close('file'))

/** Starts a server that closes after the test, or after the file. */
export async function stubServer(answer: Answering, until: keyof typeof closers = 'test'): Promise<Stub> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    void text(request).then((body) => {
      const one = { method, path: url.replace('/api/v1/external', ''), headers, body }
      asked.push(one)
      answer(one, response, asked.length - 1)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers[until].push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/api/v1/external`, asked }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  json(
    response,
    status,
    { error: { type: 'api_error', code, message: `refused: ${code}`, param: null, request_id: 'req_1' } },
    headers,
  )
}
