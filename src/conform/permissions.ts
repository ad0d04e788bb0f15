/** Finds out which permissions the key has, by requests that change nothing. */
import type { Permission } from '../contract/permissions.js'
import type { Reply } from './requests/reply.js'
import type { Method } from './requests/requester.js'

/**
 * A request that needs the permission and changes nothing: a read, or a write that validation refuses. The permission
 * is checked before validation (rule K7).
 */
export const permissionProbes: Readonly<Record<Permission, readonly [Method, string, object?]>> = {
  'leads:read': ['GET', '/leads?limit=1'],
  'leads:write': ['POST', '/leads', {}],
  'calls:read': ['GET', '/calls?limit=1'],
  'calls:write': ['POST', '/calls', {}],
  'dnc:read': ['GET', '/dnc?limit=1'],
  'dnc:write': ['POST', '/dnc', {}],
  'usage:read': ['GET', '/usage'],
  'webhooks:read': ['GET', '/webhook_endpoints'],
  'webhooks:write': ['POST', '/webhook_endpoints', {}],
  'campaigns:read': ['GET', '/campaigns?limit=1'],
  'campaigns:write': ['POST', '/campaigns/00000000-0000-4000-8000-000000000000/pause'],
}

/** Whether the key lacks a permission. A 403 that does not name one concerns campaigns or limits. */
export const isNotPermitted = ({ status, error }: Reply): boolean =>
  status === 403 && typeof error['missing_permission'] === 'string'
