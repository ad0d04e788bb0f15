/** What a key may be allowed to do (specification, Authentication, rule 3; two more for campaigns by decision). */
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
