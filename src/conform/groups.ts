/** The groups of checks that `--only` takes, in the order in which they run. */
export const groups = [
  'gate',
  'parsing',
  'errors',
  'dnc',
  'leads',
  'batch',
  'calls',
  'campaigns',
  'paging',
  'idempotency',
  'webhooks',
  'events',
  'exports',
  'usage',
  'headers',
  'limits',
] as const

export type Group = (typeof groups)[number]
