/** Real exchanges with a simulator that limits requests, to alter and to check. */
import { request } from 'undici'
import { keyOf, type Simulation } from '../support/simulate.js'
import type { Exchange } from '../../src/conform/exchange/check.js'
import { basePath } from '../../simulator/http/api-routes.js'

export interface Wanted {
  /** An object is sent as JSON, a text unchanged. */
  body?: object | string
  headers?: Record<string, string>
}

/** Sends a request with the test key and returns the exchange. */
export async function exchangeWith(
  simulation: Simulation,
  line: string,
  { body, headers = {} }: Wanted = {},
): Promise<Exchange> {
  const [method = '', path = ''] = line.split(' ')
  const { secret } = keyOf(simulation.organization, 'test')
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const requestHeaders = { authorization: `Bearer ${secret}`, ...json, ...headers }
  const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '')
  const got = await request(simulation.url + basePath + path, {
    method,
    headers: requestHeaders,
    body: text || null,
  })
  return {
    method,
    path: basePath + path,
    requestHeaders,
    requestBody: Buffer.from(text),
    status: got.statusCode,
    responseHeaders: got.headers,
    responseBody: new Uint8Array(await got.body.arrayBuffer()),
  }
}

/** The exchange with another body in its reply: the JSON after a change. */
export function withReply(exchange: Exchange, change: (body: never) => unknown): Exchange {
  const body = JSON.parse(Buffer.from(exchange.responseBody ?? []).toString()) as never
  const changed = change(body) ?? body
  return { ...exchange, responseBody: Buffer.from(JSON.stringify(changed)) }
}

/** The exchange with other headers in its reply; undefined removes one. */
export const withHeaders = (exchange: Exchange, headers: Exchange['responseHeaders']): Exchange => ({
  ...exchange,
  responseHeaders: { ...exchange.responseHeaders, ...headers },
})
