/** Reads the samples of metrics in the Prometheus text format. */

export interface MetricSample {
  /** With the suffix of a histogram: `_bucket`, `_sum` or `_count`. */
  name: string
  type: string
  labels: Record<string, string>
  value: number
}

const typeLine = /^# TYPE (\S+) (\S+)$/
const sampleLine = /^(\w+)(?:\{(.*)\})? (\S+)$/
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g

export function readMetricSamples(text: string): MetricSample[] {
  const samples: MetricSample[] = []
  let [family, type] = ['', 'untyped']
  for (const line of text.split('\n')) {
    const declared = typeLine.exec(line)
    if (declared) [, family = '', type = ''] = declared
    const [, name, labels = '', value = ''] = line.startsWith('#') ? [] : (sampleLine.exec(line) ?? [])
    if (name === undefined) continue
    const pairs = [...labels.matchAll(label)].map(([, key = '', quoted = '']) => [key, unescape(quoted)] as const)
    const own = name.startsWith(family) ? type : 'untyped'
    samples.push({ name, type: own, labels: Object.fromEntries(pairs), value: Number(value) })
  }
  return samples
}

const unescape = (text: string): string => text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
