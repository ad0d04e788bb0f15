/** Answers malformed HTTP requests with an API error and closes the connection. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { errorBody, stringifyJson } from './reply.js'
import type { RequestIds } from './request-ids.js'

const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive within a minute.',
}

export class MalformedRequests {
  /** The response to the last readable request of each connection. */
  readonly #last = new WeakMap<Socket, ServerResponse>()

  constructor(readonly requestIds: RequestIds) {}

  watch(server: Server): void {
    server.on('request', (request, response) => this.#last.set(request.socket, response))
  }

  /** Answers after the responses to earlier requests on the connection, so that clients match them correctly. */
  refuse({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
    if (code === 'ECONNRESET' || socket.destroyed) return
    const last = this.#last.get(socket)
    const answer = () => this.#answer(messages[code] ?? 'The request is not valid HTTP.', socket)
    if (last?.req.complete && !last.writableFinished) last.once('finish', answer)
    else answer()
  }

  #answer(message: string, socket: Socket): void {
    if (!socket.writable) return
    const requestId = this.requestIds.next()
    const body = JSON.stringify(errorBody(new ApiError('invalid_request', message), requestId))
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nRequest-Id: ${requestId}\r\nContent-Type: ${stringifyJson}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  }
}
