/** Groups of commands by task: order and headings of the root help and of the command reference. */

/** Commands in no group come last, under OTHERS. */
export const helpGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['LEADS', ['leads', 'calls', 'campaigns']],
  ['COMPLIANCE', ['dnc']],
  ['INTEGRATIONS', ['webhooks', 'events', 'exports', 'usage', 'api', 'openapi']],
  ['LOCAL DEVELOPMENT', ['simulate', 'open', 'demo', 'doctor']],
  ['ACCOUNT', ['login', 'logout', 'whoami', 'profiles', 'autocomplete', 'version']],
]
