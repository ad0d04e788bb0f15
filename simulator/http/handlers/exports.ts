/** Serves the exports: made, with a link to the file, and listed. */
import { exportRetentionHours } from '../../../src/contract/limits.js'
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { hours } from '../../kernel/instant.js'
import { createExport, exportOnWire } from '../../reporting/exports.js'
import type { SignedLinks } from '../signed-links.js'
import { ok, type Handlers } from '../handler.js'
import { exportPath } from '../signed-files.js'

export const exportHandlers = (links: SignedLinks): Pick<Handlers, 'listExports' | 'createExport'> => ({
  listExports: ({ organization, live }) => {
    if (!live) throw new Refusal('permission_denied', 'A test key has no exports to list; use a live key.')
    return ok(organization.exports.all().map((one) => exportOnWire(organization, one)))
  },
  createExport: ({ organization, live }, { body }) => {
    const made = createExport(organization, body)
    const { url } = links.make(exportPath(organization, made), hours(exportRetentionHours))
    return ok({ export: exportOnWire(organization, made), downloadUrl: url, livemode: live })
  },
})
