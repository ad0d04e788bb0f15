/** Names of API fields as words for people: `last_outcome` becomes "Last outcome". */

/** Words for fields that read badly when only split into words. */
const known: Readonly<Record<string, string>> = {
  id: 'ID',
  url: 'URL',
  ms: 'Took',
  at: 'Time',
  now: 'Clock',
  livemode: 'Live data',
  duration_ms: 'Took (ms)',
  latency_ms: 'Delay (ms)',
  duration_seconds: 'Seconds',
  tth_seconds: 'Seconds to a person',
  estimated_wait_seconds: 'Estimated wait',
  late_after_minutes: 'Late after (minutes)',
  duplicate_window_days: 'Duplicate window (days)',
  memory_bytes: 'Memory',
  spend_cap_usd: 'Spend cap (USD)',
  spent_usd: 'Spent (USD)',
  cost_usd: 'Cost (USD)',
  rate_usd_per_minute: 'USD per minute',
  normalizedPhone: 'Number as called',
  onDncList: 'On the DNC list',
  createdAt: 'Created',
  expiresAt: 'Expires',
  expires_at: 'Expires',
  rowCount: 'Rows',
  exportType: 'Type',
  event_type: 'Event',
  response_status: 'Answer',
  response_body: 'Answer text',
  data: 'Data',
  mode: 'Mode',
  saved_at: 'Saved',
  downloadUrl: 'Link to the file',
  binds: 'Held back by',
  by_code: 'Refused, by reason',
  dnc: 'DNC',
  api_version: 'API version',
  api_key_id: 'API key ID',
}

const upper: Readonly<Record<string, string>> = { id: 'ID', ids: 'IDs', url: 'URL', ip: 'IP', usd: 'USD', dnc: 'DNC' }

/** Headers of columns. Two that would read the same show their whole path. */
export function headersOf(columns: readonly string[]): string[] {
  const short = columns.map(shortHeader)
  return short.map((title, at) =>
    short.indexOf(title) === short.lastIndexOf(title) ? title : wordsOf(columns[at] ?? ''),
  )
}

/** `lead.phone` is "Phone", `lead.id` is "Lead ID", `handled_by.name` is "Handled by". */
export function shortHeader(column: string): string {
  const exact = known[column] ?? known[column.replace(/^.*\.(?=\w+_(seconds|minutes|ms|usd)$)/, '')]
  if (exact) return exact
  const parts = column.split('.')
  const last = parts.at(-1) ?? ''
  const owner = parts.at(-2)
  // Custom fields have the user's names.
  if (owner === 'fields') return last
  if (owner === undefined) return wordsOf(last)
  if (owner === 'object') return wordsOf(parts.slice(-1).join('.'))
  if (last === 'name' && owner !== 'lead') return wordsOf(owner)
  if (last.startsWith(`${owner}_`)) return wordsOf(last)
  return last === 'phone' || last === 'name' ? wordsOf(last) : wordsOf(`${owner}.${last}`)
}

function wordsOf(column: string): string {
  const words = column
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .split(/[\s._]+/)
    .filter((word) => word !== '')
    .map((word) => upper[word.toLowerCase()] ?? (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()))
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
