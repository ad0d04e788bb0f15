/** A checking proxy in front of a server that answers as a test says. Both close with the test. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  request as send,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Proxy, type ProxyOptions } from '../../../src/conform/proxy/proxy.js'
import type { ExchangeRecord } from '../../../src/conform/proxy/exchange-record.js'
import { afterEachTest } from '../../support/ends.js'

const closers: (() => Promise<unknown>)[] = []
afterEachTest(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

export interface Proxied {
  proxy: Proxy
  /** Exchanges in the order of their ends. */
  records: ExchangeRecord[]
  refused: string[]
  /** Resolves when this many exchanges have ended. */
  ended(count: number): Promise<ExchangeRecord[]>
}

/** Starts a proxy to an address of an API. */
export async function proxyTo(to: string, options: Partial<ProxyOptions> = {}): Promise<Proxied> {
  const records: ExchangeRecord[] = []
  const refused: string[] = []
  let look = () => {}
  const proxy = await Proxy.start({
    ...{ to: new URL(to), port: 0, strict: false, isLimited: false },
    onExchange: (record) => {
      records.push(record)
      look()
    },
    onRefused: (reason) => refused.push(reason),
    ...options,
  })
  closers.push(() => proxy.close())
  const ended = (count: number) =>
    new Promise<ExchangeRecord[]>((resolve) => {
      look = () => records.length >= count && resolve(records)
      look()
    })
  return { proxy, records, refused, ended }
}

type Answering = (asked: IncomingMessage, response: ServerResponse) => void

/** Starts a server, and a proxy to it. */
export async function proxyToServer(answer: Answering, options: Partial<ProxyOptions> = {}): Promise<Proxied> {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer)
  server.on('checkContinue', answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(resolve)
      }),
  )
  const { port } = server.address() as AddressInfo
  return proxyTo(`http://127.0.0.1:${port}/api/v1/external`, options)
}

export const base = '/api/v1/external'
export const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Bytes that do not compress. */
export function noise(length: number): Buffer {
  let state = 1
  return Buffer.from(Array.from({ length }, () => (state = (state * 16_807) % 2_147_483_647) & 0xff))
}

/** Sends a request without adding headers, and resolves with the head of the reply. */
export async function ask(
  { proxy }: Proxied,
  path: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer } = {},
): Promise<IncomingMessage> {
  const sent = send(proxy.url + path, options)
  sent.end(body)
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  return reply
}

export const json = { 'content-type': 'application/json; charset=utf-8', 'request-id': 'req_1' }
export const errorOf = async (reply: IncomingMessage) =>
  (JSON.parse(await text(reply)) as { error: { code: string; message: string; request_id: string | null } }).error
