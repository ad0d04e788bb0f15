/** Serves the endpoints of the API: gate, input, idempotency, one step, reply. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contract, type EndpointName } from '../../src/contract/index.js'
import { isWrite, type Endpoint } from '../../src/contract/base/endpoint.js'
import { idempotencyKeyLength } from '../../src/contract/limits.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { fingerprintRequest, isKept, type Idempotency, type KeptAnswer } from './idempotency.js'
import type { Quotas } from './quotas.js'
import type { World } from '../model/world.js'
import type { Principal } from './principal.js'
import { DropConnection, InjectedAnswer, type InjectedFaults } from './control/injected-faults.js'
import { passGate, type RequestContext } from './gate.js'
import type { AnyAnswer, Handlers } from './handler.js'
import { readInput, type ParsedInput } from './input.js'
import { countNewLeads } from './new-leads.js'
import { toApiError, errorBody, stringifyJson, describePath, writeHeaders, writeError } from './reply.js'
import type { Preparations } from './preparations.js'
import type { RequestIds } from './request-ids.js'
import type { RequestLog } from './control/request-log.js'

/** Where all paths of the API begin (specification, Conventions). */
export const basePath = '/api/v1/external'

/** How a handler gets at the world: in order with everything else that happens in it. */
export interface Steps {
  read<T>(look: () => T): T
  /** As `read`, answered with others that come at the same time. */
  readInGroup<T>(look: () => T): Promise<T>
  step<T>(work: () => T): T
  /** As `step`, kept by one commit with others that come at the same time. */
  stepInGroup<T>(work: () => T): Promise<T>
}

export interface ApiParts {
  world: World
  steps: Steps
  quotas: Quotas
  idempotency: Idempotency
  requestIds: RequestIds
  handlers: Handlers
  /** What must be looked up outside the world before an endpoint runs, such as a receiver's name. */
  preparations: Preparations
  faults: InjectedFaults
  log: RequestLog
  /** Told of failures that are the simulator's own. */
  onFailure: (error: unknown) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    requestId: string
    passage: RequestContext
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

type Handler = (caller: Principal, input: ParsedInput) => AnyAnswer

export function serveApi(server: FastifyInstance, parts: ApiParts): void {
  const { world, steps, quotas, requestIds, log } = parts

  server.decorateRequest('requestId', '')
  server.decorateRequest('passage')
  server.addHook('onRequest', (request, reply, done) => {
    request.requestId = requestIds.next()
    request.passage = { caller: null, allowance: null, leave: () => {} }
    reply.raw.once('close', () => request.passage.leave())
    let refusal: ApiError | undefined
    try {
      const endpoint = request.routeOptions.config.endpoint ?? null
      steps.read(() => passGate(world, quotas, endpoint, request.headers.authorization, request.passage))
    } catch (error) {
      refusal = toApiError(error)
    }
    log.follow(request, reply, world.now)
    done(refusal)
  })
  server.decorateRequest('answer', null)
  server.addHook('onSend', (request, _reply, payload, done) => {
    request.answer = payload as string
    done()
  })
  server.setErrorHandler((error, request, reply) => sendError(parts, error, request, reply))
  server.setNotFoundHandler((request, reply) => {
    sendError(
      parts,
      new ApiError('not_found', `There is no ${request.method} ${describePath(request.url)}.`),
      request,
      reply,
    )
  })

  for (const name of Object.keys(contract) as EndpointName[]) {
    const endpoint: Endpoint = contract[name]
    const handler = parts.handlers[name] as Handler
    server.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { endpoint },
      handler: (request, reply) => serveEndpoint(parts, name, endpoint, handler, request, reply),
    })
  }
}

function sendError({ onFailure }: ApiParts, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof DropConnection) {
    reply.hijack()
    request.raw.socket.destroy()
    return
  }
  const refusal = toApiError(error)
  if (refusal.status === 500 && !(refusal instanceof InjectedAnswer)) onFailure(error)
  writeHeaders(reply, request.requestId, request.passage)
  writeError(reply, refusal, request.requestId)
}

async function serveEndpoint(
  parts: ApiParts,
  name: EndpointName,
  endpoint: Endpoint,
  handler: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { steps, idempotency, preparations, quotas, faults } = parts
  const { caller } = request.passage
  if (!caller) throw new Error('a request came past the gate without a key')
  const input = readInput(endpoint, {
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | string[]>,
    body: request.body as Record<string, unknown> | undefined,
  })
  const idempotencyKey = isWrite(endpoint) ? idempotencyKeyOf(request) : null
  writeHeaders(reply, request.requestId, request.passage)
  const fault = faults.take(request.method, pathOf(request))
  const run = () => {
    if (caller.isOfAnotherWorld) throw new DropConnection()
    return handler(caller, input)
  }
  if (!isWrite(endpoint)) {
    await fault?.beforeWork()
    const answer = await steps.readInGroup(run)
    fault?.afterWork()
    return sendAnswer(reply, answer)
  }

  if (idempotencyKey === null) {
    quotas.newLeads(caller.key, countNewLeads(name, input))
    await fault?.beforeWork()
    await preparations[name]?.(input)
    const answer = await steps.stepInGroup(run)
    fault?.afterWork()
    return sendAnswer(reply, answer)
  }
  const print = fingerprintRequest(request.method, request.url, request.body)
  const kept = steps.read(() => idempotency.claim(caller.key, idempotencyKey, print))
  if (kept) {
    await fault?.beforeWork()
    fault?.afterWork()
    return replayAnswer(reply, kept, request.requestId)
  }
  try {
    quotas.newLeads(caller.key, countNewLeads(name, input))
    await fault?.beforeWork()
    await preparations[name]?.(input)
    const keep = (answer: KeptAnswer) => idempotency.keep(caller.key, idempotencyKey, print, answer)
    const outcome = await steps.stepInGroup(() => runIdempotently(parts.world, run, keep, request.requestId))
    if (outcome instanceof ApiError) throw outcome
    fault?.afterWork()
    return await sendAnswer(reply, outcome)
  } finally {
    idempotency.release(caller.key, idempotencyKey)
  }
}

/** The first answer is kept with the work it answers; a refusal's own changes are undone, and it is kept too. */
function runIdempotently(
  world: World,
  run: () => AnyAnswer,
  keep: (answer: KeptAnswer) => void,
  requestId: string,
): AnyAnswer | ApiError {
  try {
    const answer = world.attempt(run)
    keep({ status: answer.status, body: textOf(answer.body) })
    return answer
  } catch (error) {
    if (!(error instanceof ApiError) || !isKept(error)) throw error
    keep({ status: error.status, body: JSON.stringify(errorBody(error, requestId)) })
    return error
  }
}

/** Below the base address, without the query. */
const pathOf = ({ url }: FastifyRequest): string => url.slice(basePath.length).split('?')[0] ?? ''

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const sent = request.headers['idempotency-key']
  if (sent === undefined) return null
  if (typeof sent === 'string' && sent.length <= idempotencyKeyLength && /^[\x21-\x7e]+$/.test(sent)) return sent
  throw new ApiError(
    'invalid_request',
    `Send an Idempotency-Key of 1 to ${idempotencyKeyLength} visible ASCII characters.`,
    {
      param: 'Idempotency-Key',
    },
  )
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

function sendAnswer(reply: FastifyReply, { status, body, headers = {} }: AnyAnswer): FastifyReply {
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : stringifyJson
  return reply.status(status).headers(headers).type(type).send(textOf(body))
}

/** The first answer again, under this request's own id. */
function replayAnswer(reply: FastifyReply, { status, body }: KeptAnswer, requestId: string): FastifyReply {
  const text = status < 400 ? body : withRequestId(body, requestId)
  return reply.status(status).header('Idempotent-Replayed', 'true').type(stringifyJson).send(text)
}

function withRequestId(body: string, request_id: string): string {
  const { error } = JSON.parse(body) as { error: object }
  return JSON.stringify({ error: { ...error, request_id } })
}
