/** Writes metrics in the Prometheus text format, version 0.0.4. */

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

export interface Sample {
  /** Added to the name of the family: `_bucket`, `_sum` or `_count` of a histogram. */
  suffix?: string
  labels?: Readonly<Record<string, string>>
  value: number
}

/** All samples of one metric. */
export interface MetricFamily {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  samples: readonly Sample[]
}

export const formatMetrics = (families: readonly MetricFamily[]): string => families.map(formatFamily).join('')

function formatFamily({ name, type, help, samples }: MetricFamily): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}\n`,
  )
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

export const formatValue = (value: number): string =>
  value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value)

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

/** A sample for each count, with its name in the label. */
export const byLabel = (label: string, counts: ReadonlyMap<string, number>): Sample[] =>
  [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))
