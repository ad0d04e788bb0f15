/**
 * The HTTP server: the API under its base path, the control API under /_sim, signed files and the OpenAPI documents.
 */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { requestBodyBytes } from '../../src/contract/limits.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { basePath, serveApi, type ApiParts } from './api-routes.js'
import { controlPath, serveControl, type ControlParts } from './control/routes.js'
import { checkSender, type Access } from './control/access.js'
import { serveApiDocument, serveControlDocument } from './documents.js'
import { toApiError, describePath, writeError } from './reply.js'
import type { RequestIds } from './request-ids.js'
import { serveConsole } from './console.js'
import { serveSignedFiles, type StorageParts } from './signed-files.js'
import { readBody } from '../../src/contract/strict-json.js'
import { MalformedRequests } from './malformed-request.js'
import { splitWorldPath } from './world-path.js'

/** What serves the requests to one world. */
export interface Served {
  readonly id: string
  /** Address of the world, without the path of the API. */
  readonly url: () => string
  readonly api: ApiParts
  readonly control: ControlParts
  readonly storage: StorageParts
}

export interface ServerParts {
  main: Served
  /** The world with this id, or null. */
  worldOf: (id: string) => Served | null
  access: Access
  version: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The world that the request addresses. */
    running: Served
  }
}

const noSchemas = (): never => {
  throw new Error('no route has a schema')
}

export function buildServer({ main, worldOf, access, version }: ServerParts): FastifyInstance {
  const { requestIds } = main.api
  const malformed = new MalformedRequests(requestIds)
  const server = Fastify({
    bodyLimit: requestBodyBytes,
    rewriteUrl: ({ url = '/' }) => splitWorldPath(url).below,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // A very long id must reach the handler, which answers 404 like for any unknown id.
    routerOptions: { maxParamLength: 16_384 },
    requestTimeout: 60_000,
    keepAliveTimeout: 10_000,
    // The contract validates requests. Without these two, fastify loads a schema library, which takes a fifth of the
    // start time.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Node would refuse a request without a Host header with an empty body.
    http: { requireHostHeader: false },
    frameworkErrors: (error, _request, reply) => {
      writeError(reply, toApiError(error), requestIds.next())
    },
    clientErrorHandler: (error, socket) => malformed.refuse(error, socket),
  })
  malformed.watch(server.server)
  // Node would answer an unknown Expect header with a bare 417. The header is ignored instead.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.addHook('onRequest', (request, reply, done) => {
    const { host, 'transfer-encoding': encoding = 'chunked' } = request.headers
    if (host === undefined && request.raw.httpVersion === '1.1') refuse(reply, 'Send a Host header.')
    else if (encoding.toLowerCase() !== 'chunked') refuse(reply, 'Send the body in no Transfer-Encoding but chunked.')
    else done()
  })
  refuseForeignPages(server, access, requestIds)
  findWorld(server, worldOf, requestIds)
  const refuse = (reply: FastifyReply, message: string) =>
    writeError(reply.header('Connection', 'close'), new ApiError('invalid_request', message), requestIds.next())
  acceptOnlyJson(server)
  // Each part has different hooks, so each has a separate scope.
  void server.register(
    (scope, _options, done) => {
      serveApi(scope)
      done()
    },
    { prefix: basePath },
  )
  void server.register(
    (scope, _options, done) => {
      serveControl(scope, access)
      serveControlDocument(scope, version)
      done()
    },
    { prefix: controlPath },
  )
  void server.register((scope, _options, done) => {
    serveSignedFiles(scope)
    done()
  })
  serveApiDocument(server, basePath)
  serveConsole(server)
  server.setErrorHandler((error, _request, reply) => {
    writeError(reply, toApiError(error), requestIds.next())
  })
  server.setNotFoundHandler((request, reply) => {
    const refusal = new ApiError(
      'not_found',
      `There is nothing at ${describePath(request.url)}; the API is below ${basePath}.`,
    )
    writeError(reply, refusal, requestIds.next())
  })
  return server
}

/**
 * Refuses requests from web pages of other origins, except for the OpenAPI documents, which hold no data of the world.
 */
function refuseForeignPages(server: FastifyInstance, access: Access, requestIds: RequestIds): void {
  server.addHook('onRequest', (request, reply, done) => {
    try {
      if (!request.routeOptions.config.anyOrigin) checkSender(access, request.url, request.headers)
      done()
    } catch (error) {
      writeError(reply, toApiError(error), requestIds.next())
    }
  })
}

/** Finds the world of each request, and answers 404 if there is none of that id. */
function findWorld(server: FastifyInstance, worldOf: ServerParts['worldOf'], requestIds: RequestIds): void {
  server.decorateRequest('running')
  server.addHook('onRequest', (request, reply, done) => {
    const { id } = splitWorldPath(request.originalUrl)
    const found = worldOf(id)
    if (found) {
      request.running = found
      return done()
    }
    writeError(reply, new ApiError('not_found', `There is no world ${describePath(id)}.`), requestIds.next())
  })
}

/**
 * Accepts JSON in UTF-8 only, and refuses other encodings (rule C2). An empty body is accepted with any Content-Type,
 * because many clients send one.
 */
function acceptOnlyJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.decorateRequest('sentBytes', null)
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    request.sentBytes = bytes as Buffer
    if (bytes.length === 0) return done(null, undefined)
    try {
      const charset = /charset\s*=\s*"?([^;"\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (charset !== undefined && !/^utf-?8$/i.test(charset))
        throw new ApiError('invalid_request', 'Send the body in UTF-8.')
      if (encoding !== 'identity') throw new ApiError('invalid_request', 'Send the body without a Content-Encoding.')
      done(null, readBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    request.sentBytes = bytes as Buffer
    if (bytes.length === 0) done(null, undefined)
    else done(new ApiError('invalid_request', 'Send the body as JSON, with Content-Type: application/json.'))
  })
}
