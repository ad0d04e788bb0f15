/** Exports: CSV files of leads, calls or analytics, made on request (rule X1). */
import * as z from 'zod'
import { endpoint } from './base/endpoint.js'
import { Id, SentId, livemode } from './base/identifiers.js'
import { Day, DateTime } from './base/date-time.js'
import { noBody, noParams, noQuery } from './base/empty-body.js'
import { dataReply } from './base/page.js'
import { exportTypes } from './enums.js'

export const ExportType = z.enum(exportTypes).meta({ id: 'ExportType' })
export type ExportType = z.output<typeof ExportType>

const ExportStatus = z.enum(['processing', 'ready', 'failed', 'expired']).meta({ id: 'ExportStatus' })

export const Export = z
  .object({
    id: Id,
    exportType: ExportType,
    status: ExportStatus,
    rowCount: z.int().min(0),
    createdAt: DateTime,
    expiresAt: DateTime,
    livemode,
  })
  .meta({ id: 'Export', description: 'A file made on request.' })
export type Export = z.output<typeof Export>

export const NewExport = z
  .strictObject({
    exportType: ExportType,
    filters: z
      .strictObject({
        campaignId: SentId.optional(),
        startDate: Day.optional().meta({ description: "Inclusive, in the organization's time zone." }),
        endDate: Day.optional().meta({ description: "Inclusive, in the organization's time zone." }),
      })
      .optional(),
  })
  .meta({ id: 'NewExport' })
export type NewExport = z.output<typeof NewExport>

export const ExportCreated = z
  .object({ export: Export, downloadUrl: z.url(), livemode })
  .meta({ id: 'ExportCreated', description: 'The export, and where its file is until it expires.' })
export type ExportCreated = z.output<typeof ExportCreated>

export const listExports = endpoint({
  id: 'exports.list',
  method: 'GET',
  path: '/exports',
  summary: 'List exports',
  permissions: ['leads:read', 'calls:read'],
  everyCampaign: true,
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: z.object({ data: z.array(Export) }) },
  refusals: [],
})

export const createExport = endpoint({
  id: 'exports.create',
  method: 'POST',
  path: '/exports',
  summary: 'Make a file of leads, calls or analytics',
  permissions: ['leads:read', 'calls:read'],
  everyCampaign: true,
  params: noParams,
  query: noQuery,
  body: NewExport,
  replies: { 200: dataReply(ExportCreated) },
  refusals: ['not_found'],
})
