/** API keys, as an administrator of the organization sees and changes them. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { Id, Mode, SentId } from '../base/identifiers.js'
import { simultaneousRequestsMax, simultaneousRequestsMin } from '../limits.js'
import { DateTime, DateTimeInput } from '../base/date-time.js'
import { noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'
import { PermissionName } from '../base/permission-name.js'
import { keyStatuses } from '../enums.js'
import { tenantScope } from './tenant-scope.js'

export const KeyStatus = z.enum(keyStatuses).meta({ id: 'KeyStatus' })
export type KeyStatus = z.output<typeof KeyStatus>

const atLeastOne = z.int().min(1)
const limits = {
  concurrent_requests: z.int().min(simultaneousRequestsMin).max(simultaneousRequestsMax),
  requests_per_minute: atLeastOne,
  burst: atLeastOne,
  leads_per_minute: atLeastOne,
}

export const Key = z
  .object({
    key_id: z.string(),
    secret: z.string(),
    name: z.string(),
    mode: Mode,
    permissions: z.array(PermissionName),
    campaign_ids: z.array(Id).nullable().meta({ description: 'Null is every campaign.' }),
    status: KeyStatus,
    expires_at: DateTime.nullable(),
    limits: z.object(limits),
  })
  .meta({ id: 'Key' })
export type Key = z.output<typeof Key>

export const KeySettings = z.strictObject({
  permissions: z.array(PermissionName).optional(),
  campaign_ids: z.array(SentId).nullable().optional(),
  limits: z.strictObject(limits).partial().optional(),
  expires_at: DateTimeInput.nullable().optional().meta({ description: 'By the simulated clock.' }),
})

export const createKey = endpoint({
  id: 'keys.create',
  method: 'POST',
  path: '/_sim/keys',
  summary: 'Make an API key',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: KeySettings.extend({ ...tenantScope, name: z.string().optional() }),
  replies: { 201: dataReply(Key) },
  refusals: ['not_found'],
})

export const updateKey = endpoint({
  id: 'keys.update',
  method: 'PATCH',
  path: '/_sim/keys/{key_id}',
  summary: 'Change, revoke, disable or expire an API key',
  permissions: [],
  params: z.object({ key_id: z.string() }),
  query: noQuery,
  body: KeySettings.extend({ status: KeyStatus.optional() }),
  replies: { 200: dataReply(Key) },
  refusals: [],
})
