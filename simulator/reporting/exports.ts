/** Exports: CSV files of leads, calls or analytics, created at once and kept for 24 hours (rule X1). */
import type { ExportType, NewExport } from '../../src/contract/exports.js'
import { exportRetentionHours } from '../../src/contract/limits.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { endOfDay, startOfDay } from '../../src/phone/local-day.js'
import { after, hours, instant, toIso } from '../kernel/instant.js'
import type { Export } from '../model/export.js'
import type { Tenant } from '../model/world.js'
import { writeCsvFile } from './csv.js'
import { createSampleRows } from './export-sample.js'
import { exportTables, type ExportFilter } from './export-tables.js'

/** Creates a file of the current data. A test key gets a sample instead (rule X2). */
export function createExport(tenant: Tenant, { exportType: type, filters }: NewExport): Export {
  const { world, exports, live } = tenant
  const filter = filterOf(tenant, filters)
  const { columns, rows } = exportTables[type]
  const file = writeCsvFile(columns, live ? rows(tenant, filter) : createSampleRows(tenant, type))
  const { now: created } = world
  return exports.add(
    { type, rows: file.rows, created, expires: after(created, hours(exportRetentionHours)) },
    file.compressed,
  )
}

/** Both days are included, in the organization's time zone. */
function filterOf(
  tenant: Tenant,
  { campaignId, startDate, endDate }: NonNullable<NewExport['filters']> = {},
): ExportFilter {
  const zone = tenant.record.time_zone
  const campaign = campaignId === undefined ? null : tenant.campaignById(campaignId)
  if (campaignId !== undefined && !campaign) {
    throw new ApiError('not_found', 'There is no such campaign.', { param: 'filters.campaignId' })
  }
  if (startDate !== undefined && endDate !== undefined && endDate < startDate) {
    throw new ApiError('invalid_request', 'The last day is before the first.', { param: 'filters.endDate' })
  }
  return {
    campaign: campaign?.n ?? null,
    from: startDate === undefined ? undefined : instant(startOfDay(zone, startDate)),
    to: endDate === undefined ? undefined : instant(endOfDay(zone, endDate)),
  }
}

export function serializeExport(tenant: Tenant, { n, type, rows, created, expires }: Export) {
  return {
    id: tenant.exports.id(n),
    exportType: type satisfies ExportType,
    status: tenant.world.now < expires ? ('ready' as const) : ('expired' as const),
    rowCount: rows,
    createdAt: toIso(created),
    expiresAt: toIso(expires),
    livemode: tenant.live,
  }
}
