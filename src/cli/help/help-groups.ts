/** Groups of commands by task: order and headings of the root help and of the command reference. */

/** Commands in no group come last, under Others. */
export const helpGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Leads and calls', ['leads', 'calls', 'campaigns', 'dnc', 'exports', 'usage', 'plan']],
  ['Integrations', ['webhooks', 'events', 'api', 'openapi']],
  ['Local development', ['simulate', 'demo', 'open', 'doctor', 'proxy', 'conform']],
  ['Account', ['login', 'logout', 'whoami', 'profiles', 'autocomplete', 'version']],
]
