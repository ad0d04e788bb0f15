/** The permissions of API keys (rule K3). */
export const permissions = [
  'leads:read',
  'leads:write',
  'calls:read',
  'calls:write',
  'dnc:read',
  'dnc:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
  'campaigns:read',
  'campaigns:write',
] as const

export type Permission = (typeof permissions)[number]
