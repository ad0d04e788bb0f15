/** Commands by what a person wants to do: the order and the headings of the root help and of the command reference. */

/** What is named nowhere comes last, as OTHERS. */
export const helpGroups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['LEADS', ['leads', 'calls', 'campaigns']],
  ['COMPLIANCE', ['dnc']],
  ['INTEGRATIONS', ['webhooks', 'events', 'exports', 'usage', 'api', 'openapi']],
  ['LOCAL DEVELOPMENT', ['simulate', 'demo', 'doctor']],
  ['ACCOUNT', ['login', 'logout', 'whoami', 'profiles', 'autocomplete']],
]
