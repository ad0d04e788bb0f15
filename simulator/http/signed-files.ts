/** Serves recordings and exports behind signed links. The signature replaces the key (rules S7 and X1). */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { renderRecording } from '../telephony/recording.js'
import type { SignedLinks } from './signed-links.js'
import type { Call } from '../model/call.js'
import type { Export } from '../model/export.js'
import { tenantNumberOf } from '../model/organization.js'
import type { Tenant, World } from '../model/world.js'
import type { Steps } from './api-routes.js'
import { toApiError, writeError } from './reply.js'
import type { RequestIds } from './request-ids.js'

export interface StorageParts {
  world: World
  steps: Steps
  links: SignedLinks
  requestIds: RequestIds
  onFailure: (error: unknown) => void
}

const folderOf = ({ record, mode }: Tenant) => `/storage/${record.id}/${mode}`
export const recordingPath = (tenant: Tenant, { n }: Call) => `${folderOf(tenant)}/recordings/${tenant.calls.id(n)}.wav`
export const exportPath = (tenant: Tenant, { n, type }: Export) =>
  `${folderOf(tenant)}/exports/${tenant.exports.id(n)}/${type}.csv`

interface File {
  name: string
  type: string
  /** Left out when the size is not known in advance. */
  bytes?: number
  content: Readable
}

interface Place {
  organization: string
  mode: 'live' | 'test'
  id: string
  type?: string
}

export function serveSignedFiles(server: FastifyInstance): void {
  server.setErrorHandler((error, request, reply) => {
    const { onFailure, requestIds } = request.running.storage
    const refusal = toApiError(error)
    if (refusal.status === 500) onFailure(error)
    writeError(reply, refusal, requestIds.next())
  })
  const serve = (route: string, find: (tenant: Tenant, place: Place) => File | null) =>
    server.get<{ Params: Place; Querystring: Record<string, unknown> }>(route, (request, reply) => {
      const { params, query, url } = request
      const { world, steps, links } = request.running.storage
      const file = steps.read(() => {
        links.check(url.split('?')[0] ?? '', { expires: String(query.expires), signature: String(query.signature) })
        const record = world.organizations.byId(params.organization)
        return record && find(world.tenant(tenantNumberOf(record.n, params.mode)), params)
      })
      if (!file) throw new ApiError('not_found', 'The file was deleted.')
      return sendFile(reply, file)
    })
  serve('/storage/:organization/:mode/recordings/:id.wav', serveRecording)
  serve('/storage/:organization/:mode/exports/:id/:type.csv', serveExport)
}

function serveRecording(tenant: Tenant, { id }: Place): File | null {
  const call = tenant.calls.byId(id)
  const made = call && renderRecording(tenant, call)
  return made && { name: `${id}.wav`, type: 'audio/wav', bytes: made.bytes, content: Readable.from(made.pieces) }
}

function serveExport(tenant: Tenant, { id, type }: Place): File | null {
  const compressed = tenant.exports.file(id)
  if (!compressed) return null
  const content = createGunzip()
  content.end(compressed)
  return { name: `${type}-${id}.csv`, type: 'text/csv; charset=utf-8; header=present', content }
}

function sendFile(reply: FastifyReply, { name, type, bytes, content }: File): FastifyReply {
  if (bytes !== undefined) reply.header('Content-Length', bytes)
  return reply
    .type(type)
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .header('Cache-Control', 'private, no-store')
    .send(content)
}
