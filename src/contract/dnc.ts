/** The Do Not Call list of an organization. */
import * as z from 'zod'
import { endpoint } from './base/endpoint.js'
import { Id, byId, livemode } from './base/identifiers.js'
import { dncNumbersPerBatch, dncPageSize, dncSearchLength, phoneLength } from './limits.js'
import { DateTime } from './base/date-time.js'
import { noBody, noParams, noQuery } from './base/empty-body.js'
import { limit, dataReply, pageReply } from './base/page.js'

/** How a number came onto the list (rule D6). */
const dncSources = ['api', 'ai', 'outcome', 'manual', 'bulk', 'sms'] as const
export const DncSource = z.enum(dncSources).meta({ id: 'DncSource' })
export type DncSource = z.output<typeof DncSource>

export const DncEntry = z
  .object({ id: Id, phone: z.string(), source: DncSource, createdAt: DateTime, livemode })
  .meta({ id: 'DncEntry', description: 'A number that is never called.' })
export type DncEntry = z.output<typeof DncEntry>

export const DncCheck = z
  .object({
    phone: z.string().meta({ description: 'As it was sent.' }),
    normalizedPhone: z.string().nullable().meta({ description: 'E.164; null where the number could not be read.' }),
    onDncList: z.boolean(),
    livemode,
  })
  .meta({ id: 'DncCheck' })
export type DncCheck = z.output<typeof DncCheck>

export const DncBatchResult = z
  .object({
    succeeded: z.int().min(0),
    failed: z.int().min(0),
    errors: z.array(z.string()).meta({ description: 'The numbers that were not added: bad, or there already.' }),
    livemode,
  })
  .meta({ id: 'DncBatchResult' })
export type DncBatchResult = z.output<typeof DncBatchResult>

const phone = z.string().max(phoneLength)
export const dncNumbers = z.array(phone).max(dncNumbersPerBatch)

export const checkDnc = endpoint({
  id: 'dnc.check',
  method: 'GET',
  path: '/dnc/check',
  summary: 'Ask whether a number is on the list',
  permissions: ['dnc:read'],
  params: noParams,
  // A missing number is read as an empty one, so that both give `invalid_phone`.
  query: z.object({
    phone: phone
      .default('')
      .meta({ description: 'In any common form; write a leading plus as %2B.', 'x-required': true }),
  }),
  body: noBody,
  replies: { 200: dataReply(DncCheck) },
  refusals: ['invalid_phone'],
})

export const addDnc = endpoint({
  id: 'dnc.add',
  method: 'POST',
  path: '/dnc',
  summary: 'Put a number on the list',
  permissions: ['dnc:write'],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ phone }),
  replies: { 201: dataReply(DncEntry) },
  refusals: ['invalid_phone', 'duplicate_dnc_entry'],
})

export const addDncBatch = endpoint({
  id: 'dnc.add_batch',
  method: 'POST',
  path: '/dnc/batch',
  summary: 'Put numbers on the list, each on its own',
  permissions: ['dnc:write'],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ phones: dncNumbers }),
  replies: { 200: dataReply(DncBatchResult) },
  refusals: [],
})

export const listDnc = endpoint({
  id: 'dnc.list',
  method: 'GET',
  path: '/dnc',
  summary: 'List the numbers',
  permissions: ['dnc:read'],
  params: noParams,
  query: z.object({
    cursor: z.string().optional().meta({ description: 'The next_cursor of the page before.' }),
    limit: limit(dncPageSize),
    search: z.string().max(dncSearchLength).optional().meta({ description: 'Part of a number.' }),
  }),
  body: noBody,
  replies: { 200: pageReply(DncEntry) },
  refusals: [],
})

export const removeDnc = endpoint({
  id: 'dnc.remove',
  method: 'DELETE',
  path: '/dnc/{id}',
  summary: 'Take a number off the list',
  permissions: ['dnc:write'],
  params: byId,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(DncEntry) },
  refusals: [],
})
