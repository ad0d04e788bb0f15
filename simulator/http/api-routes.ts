/** Serves the API's endpoints: authentication and limits, input, idempotency, one step, reply (rule K7). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contract, type EndpointName } from '../../src/contract/index.js'
import { isWrite, type Endpoint } from '../../src/contract/base/endpoint.js'
import { idempotencyKeyLength } from '../../src/contract/limits.js'
import { ApiError, type ErrorCode } from '../../src/contract/errors/error-codes.js'
import { fingerprintRequest, isKept, type Idempotency, type KeptAnswer } from './idempotency.js'
import type { Quotas } from './quotas.js'
import type { World } from '../model/world.js'
import type { Principal } from './principal.js'
import { DropConnection, InjectedAnswer, type InjectedFaults } from './control/faults/injected-faults.js'
import { passGate, type RequestContext } from './gate.js'
import type { AnyAnswer, Handlers } from './handler.js'
import { readInput, type ParsedInput } from './input.js'
import { countNewLeads } from './new-leads.js'
import { toApiError, errorBody, stringifyJson, describePath, writeHeaders, writeError } from './reply.js'
import type { Preparations } from './preparations.js'
import type { RequestIds } from './request-ids.js'
import type { RequestLog } from './control/request-log.js'

/** Base path of the API (rule C1). */
export const basePath = '/api/v1/external'

/** How handlers read and change the world, in order with everything else that happens in it. */
export interface Steps {
  read<T>(look: () => T): T
  /** Like `read`, in one group with requests that arrive at the same time. */
  readInGroup<T>(look: () => T): Promise<T>
  step<T>(work: () => T): T
  /** Like `step`, in one commit with requests that arrive at the same time. */
  stepInGroup<T>(work: () => T): Promise<T>
}

export interface ApiParts {
  world: World
  steps: Steps
  quotas: Quotas
  idempotency: Idempotency
  requestIds: RequestIds
  handlers: Handlers
  /** Look-ups that must finish before an endpoint's step, such as the DNS name of a receiver. */
  preparations: Preparations
  faults: InjectedFaults
  log: RequestLog
  /** Receives errors of the simulator itself. */
  onFailure: (error: unknown) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    requestId: string
    context: RequestContext
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

type Handler = (caller: Principal, input: ParsedInput) => AnyAnswer

export function serveApi(server: FastifyInstance): void {
  server.decorateRequest('requestId', '')
  server.decorateRequest('context')
  server.addHook('onRequest', (request, reply, done) => {
    const { world, steps, quotas, requestIds, log } = request.running.api
    request.requestId = requestIds.next()
    request.context = { caller: null, allowance: null, refusal: null, fault: null, leave: () => {} }
    reply.raw.once('close', () => request.context.leave())
    let refusal: ApiError | undefined
    try {
      const endpoint = request.routeOptions.config.endpoint ?? null
      steps.read(() => passGate(world, quotas, endpoint, request.headers.authorization, request.context))
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
  server.setErrorHandler(sendError)
  server.setNotFoundHandler((request, reply) => {
    sendError(new ApiError('not_found', `There is no ${request.method} ${describePath(request.url)}.`), request, reply)
  })

  for (const name of Object.keys(contract) as EndpointName[]) {
    const endpoint: Endpoint = contract[name]
    server.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { endpoint },
      handler: (request, reply) => serveEndpoint(name, endpoint, request, reply),
    })
  }
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof DropConnection) {
    reply.hijack()
    request.raw.socket.destroy()
    return
  }
  const refusal = toApiError(error)
  if (refusal.status === 500 && !(refusal instanceof InjectedAnswer)) request.running.api.onFailure(error)
  request.context.refusal = refusal.code
  writeHeaders(reply, request.requestId, request.context)
  writeError(reply, refusal, request.requestId)
}

async function serveEndpoint(
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { world, steps, handlers, idempotency, preparations, quotas, faults } = request.running.api
  const { caller } = request.context
  if (!caller) throw new Error('a request came past the gate without a key')
  const input = readInput(endpoint, {
    params: request.params as Record<string, string>,
    query: request.query as Record<string, string | string[]>,
    body: request.body as Record<string, unknown> | undefined,
  })
  const idempotencyKey = isWrite(endpoint) ? idempotencyKeyOf(request) : null
  writeHeaders(reply, request.requestId, request.context)
  const fault = faults.take(request.method, pathOf(request))
  request.context.fault = fault?.name ?? null
  const run = () => {
    if (caller.isOfAnotherWorld) throw new DropConnection()
    return (handlers[name] as Handler)(caller, input)
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
  const fingerprint = fingerprintRequest(request.method, request.url, request.body)
  const kept = steps.read(() => idempotency.claim(caller.key, idempotencyKey, fingerprint))
  if (kept) {
    await fault?.beforeWork()
    fault?.afterWork()
    return replayAnswer(reply, kept, request)
  }
  try {
    quotas.newLeads(caller.key, countNewLeads(name, input))
    await fault?.beforeWork()
    await preparations[name]?.(input)
    const keep = (answer: KeptAnswer) => idempotency.keep(caller.key, idempotencyKey, fingerprint, answer)
    const outcome = await steps.stepInGroup(() => runIdempotently(world, run, keep, request.requestId))
    if (outcome instanceof ApiError) throw outcome
    fault?.afterWork()
    return await sendAnswer(reply, outcome)
  } finally {
    idempotency.release(caller.key, idempotencyKey)
  }
}

/**
 * Stores the first answer in the transaction of its work. If the work fails, its changes are rolled back and the error
 * is stored (rules I2 and I5).
 */
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

/** Path below the base path, without the query. */
const pathOf = ({ url }: FastifyRequest): string => url.slice(basePath.length).split('?')[0] ?? ''

/** Returns the Idempotency-Key of a write, or null. Throws for an invalid one (rule I1). */
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

/** Sends the stored answer again, with the id of this request (rule I2). */
function replayAnswer(reply: FastifyReply, { status, body }: KeptAnswer, request: FastifyRequest): FastifyReply {
  const text = status < 400 ? body : replayError(body, request)
  return reply.status(status).header('Idempotent-Replayed', 'true').type(stringifyJson).send(text)
}

function replayError(body: string, { requestId: request_id, context }: FastifyRequest): string {
  const { error } = JSON.parse(body) as { error: { code: ErrorCode } }
  context.refusal = error.code
  return JSON.stringify({ error: { ...error, request_id } })
}
