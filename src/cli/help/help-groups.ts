/** Groups of commands by task: order and headings of the root help and of the command reference. */

/** Commands in no group come last, under Others. */
export const helpGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Leads', ['leads', 'calls', 'campaigns', 'plan']],
  ['Compliance', ['dnc']],
  ['Integrations', ['webhooks', 'events', 'exports', 'usage', 'api', 'openapi']],
  ['Local development', ['simulate', 'open', 'demo', 'proxy', 'conform', 'doctor']],
  ['Account', ['login', 'logout', 'whoami', 'profiles', 'autocomplete', 'version']],
]
