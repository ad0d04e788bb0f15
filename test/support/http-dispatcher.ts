/** An undici dispatcher over `node:http`, where nock can see what undici sends: nock knows nothing of undici's own sockets. */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Dispatcher } from 'undici'

type Options = Dispatcher.DispatchOptions

/** What undici's `request` listens to: the older of its two ways to be told of an answer. */
interface Listening {
  onConnect(abort: (error?: Error) => void): void
  onHeaders(status: number, headers: Buffer[], resume: () => void, words: string): boolean
  onData(chunk: Buffer): boolean
  onComplete(trailers: string[]): void
  onError(error: Error): void
}

export class HttpDispatcher extends Dispatcher {
  override dispatch(options: Options, handler: Dispatcher.DispatchHandler): boolean {
    const listening = handler as unknown as Listening
    const url = new URL(options.path, options.origin)
    const client = url.protocol === 'https:' ? https : http
    const request = client.request(url, { method: options.method, headers: headersOf(options.headers) })
    const fail = (error: Error): void => listening.onError(error)
    request.on('error', fail)
    request.on('response', (response: IncomingMessage) => {
      const resume = (): void => void response.resume()
      listening.onHeaders(
        response.statusCode ?? 0,
        response.rawHeaders.map((text) => Buffer.from(text)),
        resume,
        '',
      )
      response.on('data', (chunk: Buffer) => listening.onData(chunk))
      response.on('error', fail)
      response.on('end', () => listening.onComplete([]))
    })
    listening.onConnect((error) => request.destroy(error))
    request.end(options.body ?? undefined)
    return true
  }

  override close(): Promise<void> {
    return Promise.resolve()
  }

  override destroy(): Promise<void> {
    return Promise.resolve()
  }
}

/** `request` hands headers over as an object or as a flat list of names and values. */
function headersOf(headers: Options['headers']): Record<string, string> {
  if (!Array.isArray(headers)) return { ...(headers as Record<string, string> | null | undefined) }
  const pairs = headers.flatMap((name: unknown, at: number) =>
    at % 2 === 0 ? [[String(name), String(headers[at + 1])]] : [],
  )
  return Object.fromEntries(pairs) as Record<string, string>
}
