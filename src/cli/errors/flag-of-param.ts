/** Finds the flag or argument that a `param` of the API's error means, so that the error can name what the person typed. */

/** Flags and arguments of a command, by name, and the values that were given. */
export interface CommandInput {
  flags: readonly string[]
  args: readonly string[]
  given: Readonly<Record<string, unknown>>
}

/** Params whose flag has another name. The others differ only in case and separators. */
const flagNames: Readonly<Record<string, string>> = {
  'created[gte]': 'since',
  'created[lte]': 'until',
  cursor: 'starting-after',
  consent: 'consent-source',
  'consent.agreed_at': 'consent-at',
  exportType: 'type',
  type: 'event',
  'filters.campaignId': 'campaign',
  lead_source: 'source',
  calling_hours: 'hours',
  next_dial_at: 'at',
}

/** `startDate` and `starting_after` as flags: `start-date`, `starting-after`. */
const flagForm = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll(/[._]/g, '-')
    .toLowerCase()

/** Names that a param may have as a flag, the most exact first: `fields.city` is `--field`, `campaign_ids[0]` is `--campaign`. */
function possibleNames(param: string): string[] {
  const path = param.replaceAll(/\[\d+\]/g, '')
  const own = flagNames[path]
  const [head = '', ...rest] = path.split('.')
  const names = [path, head, ...rest.slice(-1)].map(flagForm)
  return [...(own === undefined ? [] : [own]), ...names.flatMap((name) => [name, ...shorterForms(name)])]
}

/** `events` is repeated as `--event`; `lead_id` is given as `--lead`. */
function shorterForms(name: string): string[] {
  const singular = name.replace(/s$/, '')
  return [singular, singular.replace(/-id$/, '')].filter((form) => form !== name)
}

/** Returns the flag or argument as it is typed, with its value if that is short: `--limit 500`, `<phone>`. */
export function flagOfParam(
  param: string | null | undefined,
  { flags, args, given }: CommandInput,
): string | undefined {
  if (!param) return undefined
  // Items of a file: a flag is the cause only if it was given.
  const isItem = /^\w+\[\d+\]\./.test(param)
  const named = possibleNames(param).find(
    (one) => (flags.includes(one) || args.includes(one)) && (!isItem || given[one] !== undefined),
  )
  // The id in a path is that of the first argument, which is named after what it is: `<lead>`.
  const name = named ?? (param === 'id' ? args[0] : undefined)
  if (name === undefined) return undefined
  return `${flags.includes(name) ? `--${name}` : `<${name}>`}${shown(given[name])}`
}

const longestShown = 60

function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? JSON.stringify(value) : ''
  return text === '' || text.length > longestShown ? '' : ` ${text}`
}
