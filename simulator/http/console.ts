/** Serves the web console: static files without any data of the world. The page reads the control API. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { packageFolder } from '../version.js'
import { worldPath } from './world-path.js'

export const consolePath = '/console'

const types: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'theme.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

/** Only files of the simulator, nothing inline, no frames. Recordings are played from memory. */
const policy = [
  "default-src 'self'",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
}

/** Files that were read. They are read when they are first requested, so the start of the simulator does not wait. */
const known = new Map<string, Buffer>()

export function serveConsole(server: FastifyInstance): void {
  server.get('/', (request, reply) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return reply.callNotFound()
    return reply.redirect(`${worldPath(request.running.id)}${consolePath}/`)
  })
  server.get(consolePath, (request, reply) => reply.redirect(`${worldPath(request.running.id)}${consolePath}/`))
  // Addresses below it are screens of the page, so that a reload shows the same screen.
  server.get<{ Params: { '*': string } }>(`${consolePath}/*`, (request, reply) => {
    const name = request.params['*']
    return sendFile(reply, Object.hasOwn(types, name) ? name : 'index.html')
  })
}

function sendFile(reply: FastifyReply, name: string): FastifyReply {
  let content = known.get(name)
  if (!content) known.set(name, (content = readFile(name)))
  return reply
    .headers(headers)
    .type(types[name] ?? '')
    .send(content)
}

function readFile(name: string): Buffer {
  try {
    return readFileSync(new URL(`dist/console/${name}`, packageFolder))
  } catch {
    throw new ApiError('not_found', 'The console was not built. Run npm run build.')
  }
}
