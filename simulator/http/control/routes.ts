/** Serves the control API: actions of people in the app, the telephone network and the clock. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { control } from '../../../src/contract/control.js'
import type { Endpoint, QueryOf } from '../../../src/contract/base/endpoint.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { checkControlAccess, checkToken, type Access } from './access.js'
import type { AnyAnswer, ControlHandlers } from '../handler.js'
import { readInput, type ParsedInput } from '../input.js'
import { toApiError, errorBody, stringifyJson, describePath } from '../reply.js'
import type { RequestIds } from '../request-ids.js'
import { DropConnection } from './faults/injected-faults.js'
import type { EventStreams } from './event-stream.js'
import type { Pulses } from './console/pulse.js'

/** What serves the control API of one world. */
export interface ControlParts {
  handlers: Omit<ControlHandlers, 'stream' | 'pulse'>
  streams: EventStreams
  pulses: Pulses
  requestIds: RequestIds
  onFailure: (error: unknown) => void
}

export const controlPath = '/_sim'

/** Large enough to load leads by the hundred thousand. */
const bodyMegabytes = 64

type Handler = (input: ParsedInput, isWanted: () => boolean) => AnyAnswer | Promise<AnyAnswer>

export function serveControl(server: FastifyInstance, access: Access): void {
  server.addHook('onRequest', (request, _reply, done) => {
    try {
      if (request.routeOptions.config.anyOrigin) checkToken(access, request.headers)
      else checkControlAccess(access, request.headers)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  server.setErrorHandler((error, request, reply) => {
    if (error instanceof DropConnection) {
      reply.hijack()
      request.raw.socket.destroy()
      return
    }
    const refusal = isTooLarge(error)
      ? new ApiError('invalid_request', `The body is larger than ${bodyMegabytes} MB.`)
      : toApiError(error)
    if (refusal.status === 500) request.running.control.onFailure(error)
    return refuse(request, reply, refusal)
  })
  // This handler runs after the access checks, so unknown paths reveal nothing.
  server.setNotFoundHandler((request, reply) =>
    refuse(request, reply, new ApiError('not_found', `There is no ${request.method} ${describePath(request.url)}.`)),
  )
  const refuse = (request: FastifyRequest, reply: FastifyReply, refusal: ApiError) =>
    writeReply(reply, {
      status: refusal.status,
      body: errorBody(refusal, request.running.control.requestIds.next()),
    })
  const route = (
    endpoint: Endpoint,
    serve: (input: ParsedInput, request: FastifyRequest, reply: FastifyReply) => unknown,
  ) =>
    server.route({
      method: endpoint.method,
      bodyLimit: bodyMegabytes * 2 ** 20,
      url: endpoint.path.slice(controlPath.length).replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) =>
        serve(
          readInput(endpoint, {
            params: request.params as Record<string, string>,
            query: request.query as Record<string, string | string[]>,
            body: request.body as Record<string, unknown> | undefined,
          }),
          request,
          reply,
        ),
    })
  const { stream, pulse, ...answered } = control
  for (const name of Object.keys(answered) as (keyof typeof answered)[]) {
    route(control[name], async (input, request, reply) => {
      const { handlers, pulses } = request.running.control
      const answer = await (handlers[name] as Handler)(input, () => !reply.raw.destroyed)
      if (control[name].method !== 'GET') pulses.countChange()
      return writeReply(reply, answer)
    })
  }
  route(stream, ({ query }, request, reply) => {
    reply.hijack()
    request.running.control.streams.open(reply.raw, query as QueryOf<typeof stream>)
  })
  route(pulse, ({ query }, request, reply) => {
    const { pulses } = request.running.control
    const tenant = pulses.tenantOf(query as QueryOf<typeof pulse>)
    reply.hijack()
    pulses.open(reply.raw, tenant)
  })
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'

const writeReply = (reply: FastifyReply, { status, body, headers = {} }: AnyAnswer): FastifyReply =>
  typeof body === 'string'
    ? reply.status(status).headers(headers).send(body)
    : reply.status(status).type(stringifyJson).send(JSON.stringify(body))
