/** Serves the files behind signed links, recordings and exports: no key is asked for, the signature is enough. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Refusal } from '../../src/contract/errors/error-codes.js'
import { recordingOf } from '../telephony/recording.js'
import type { SignedLinks } from './signed-links.js'
import type { Call } from '../model/call.js'
import type { Export } from '../model/export.js'
import { tenantOf } from '../model/organization.js'
import type { Organization, World } from '../model/world.js'
import type { Steps } from './api-routes.js'
import { asRefusal, writeRefusal } from './reply.js'
import type { RequestIds } from './request-ids.js'

export interface StorageParts {
  world: World
  steps: Steps
  links: SignedLinks
  requestIds: RequestIds
  onFailure: (error: unknown) => void
}

const folder = ({ record, mode }: Organization) => `/storage/${record.id}/${mode}`
export const recordingPath = (organization: Organization, { n }: Call) =>
  `${folder(organization)}/recordings/${organization.calls.id(n)}.wav`
export const exportPath = (organization: Organization, { n, type }: Export) =>
  `${folder(organization)}/exports/${organization.exports.id(n)}/${type}.csv`

interface File {
  name: string
  type: string
  /** Left out where it is not known before the end. */
  bytes?: number
  content: Readable
}

interface Place {
  organization: string
  mode: 'live' | 'test'
  id: string
  type?: string
}

export function serveStorage(
  server: FastifyInstance,
  { world, steps, links, requestIds, onFailure }: StorageParts,
): void {
  server.setErrorHandler((error, _request, reply) => {
    const refusal = asRefusal(error)
    if (refusal.status === 500) onFailure(error)
    writeRefusal(reply, refusal, requestIds.next())
  })
  const serve = (route: string, find: (organization: Organization, place: Place) => File | null) =>
    server.get<{ Params: Place; Querystring: Record<string, unknown> }>(route, (request, reply) => {
      const { params, query, url } = request
      const file = steps.read(() => {
        links.check(url.split('?')[0] ?? '', { expires: String(query.expires), signature: String(query.signature) })
        const record = world.organizations.byId(params.organization)
        return record && find(world.organization(tenantOf(record.n, params.mode)), params)
      })
      if (!file) throw new Refusal('not_found', 'The file is not there any more.')
      return send(reply, file)
    })
  serve('/storage/:organization/:mode/recordings/:id.wav', recording)
  serve('/storage/:organization/:mode/exports/:id/:type.csv', exported)
}

function recording(organization: Organization, { id }: Place): File | null {
  const call = organization.calls.byId(id)
  const made = call && recordingOf(organization, call)
  return made && { name: `${id}.wav`, type: 'audio/wav', bytes: made.bytes, content: Readable.from(made.pieces) }
}

function exported(organization: Organization, { id, type }: Place): File | null {
  const compressed = organization.exports.file(id)
  if (!compressed) return null
  const content = createGunzip()
  content.end(compressed)
  return { name: `${type}-${id}.csv`, type: 'text/csv; charset=utf-8; header=present', content }
}

function send(reply: FastifyReply, { name, type, bytes, content }: File): FastifyReply {
  if (bytes !== undefined) reply.header('Content-Length', bytes)
  return reply
    .type(type)
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .header('Cache-Control', 'private, no-store')
    .send(content)
}
