/** Serves the OpenAPI documents. They hold no secret, so pages of any origin may read them. */
import type { FastifyInstance } from 'fastify'
import { urlOf } from '../../src/url.js'
import { stringifyJson } from './reply.js'
import { worldPath } from './world-path.js'

type Document = Readonly<Record<string, unknown>>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a route that pages of other origins may read. */
    anyOrigin?: boolean
  }
}

export function serveApiDocument(server: FastifyInstance, basePath: string): void {
  serveDocument(server, async () => (await import('../../src/contract/openapi.js')).apiDocument(basePath), basePath)
}

/** Runs in the scope of the control API, after its access checks. */
export function serveControlDocument(scope: FastifyInstance, version: string): void {
  serveDocument(scope, async () => (await import('../../src/contract/openapi.js')).controlDocument('', version), '')
}

/** Serves a document. Its server address is the one the request was sent to. */
function serveDocument(scope: FastifyInstance, load: () => Promise<Document>, basePath: string) {
  let loaded: Promise<Document> | undefined
  scope.get('/openapi.json', { config: { anyOrigin: true } }, async (request, reply) => {
    const document = await (loaded ??= load())
    const origin = originOf(request.headers.host)
    const { id, url } = request.running
    const servers = [{ url: (origin === null ? url() : origin + worldPath(id)) + basePath }]
    return reply
      .header('Access-Control-Allow-Origin', '*')
      .type(stringifyJson)
      .send({ ...document, servers })
  })
}

/** A name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const hostPattern = /^(?:[a-z\d](?:[\w.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** The origin for a Host header, or null if the header is missing or malformed. */
function originOf(host: string | undefined): string | null {
  const origin = `http://${host ?? ''}`
  return host !== undefined && hostPattern.test(host) && urlOf(origin) ? origin : null
}
