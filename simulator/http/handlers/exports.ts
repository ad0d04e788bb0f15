/** Serves exports: creates one with a link to its file, and lists them (rules X1 and X2). */
import { exportRetentionHours } from '../../../src/contract/limits.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { hours } from '../../kernel/instant.js'
import { createExport, serializeExport } from '../../reporting/exports.js'
import type { SignedLinks } from '../signed-links.js'
import { replyOk, type Handlers } from '../handler.js'
import { exportPath } from '../signed-files.js'

export const exportHandlers = (links: SignedLinks): Pick<Handlers, 'listExports' | 'createExport'> => ({
  listExports: ({ tenant, live }) => {
    if (!live) throw new ApiError('permission_denied', 'A test key has no exports to list; use a live key.')
    return replyOk(tenant.exports.all().map((one) => serializeExport(tenant, one)))
  },
  createExport: ({ tenant, live }, { body }) => {
    const made = createExport(tenant, body)
    const { url } = links.make(exportPath(tenant, made), hours(exportRetentionHours))
    return replyOk({ export: serializeExport(tenant, made), downloadUrl: url, livemode: live })
  },
})
