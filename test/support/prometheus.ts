/** A strict parser of the Prometheus text format, version 0.0.4. Throws on any deviation. */

export interface Family {
  type: string
  help: string
  /** By name and labels as written, in the order of the text. */
  samples: Map<string, number>
}

const metricName = String.raw`[a-zA-Z_:][a-zA-Z0-9_:]*`
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`
const sampleLine = new RegExp(`^(${metricName})(?:\\{(${label}(?:,${label})*)\\})? (\\S+)$`)
const number = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/
const suffixes: Readonly<Record<string, readonly string[]>> = { histogram: ['_bucket', '_sum', '_count'] }

export function readPrometheus(text: string): Map<string, Family> {
  const families = new Map<string, Family>()
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed')
  const lines = text.slice(0, -1).split('\n')
  while (lines.length > 0) {
    const [, name = '', help = ''] = match(
      lines.shift(),
      new RegExp(`^# HELP (${metricName}) ((?:[^\\\\]|\\\\[\\\\n])+)$`),
    )
    const [, typed, type = ''] = match(lines.shift(), new RegExp(`^# TYPE (${metricName}) (counter|gauge|histogram)$`))
    if (typed !== name) throw new Error(`the type of ${name} is given for ${typed}`)
    if (families.has(name)) throw new Error(`${name} appears twice`)
    if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`a ${type} is named ${name}`)
    const samples = new Map<string, number>()
    while (lines.length > 0 && !lines[0]?.startsWith('#')) readSample(lines.shift(), name, type, samples)
    families.set(name, { type, help, samples })
    if (type === 'histogram') checkHistogram(name, samples)
  }
  return families
}

function match(line: string | undefined, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(line ?? '')
  if (!found) throw new Error(`"${line}" does not match ${pattern}`)
  return found
}

function readSample(line: string | undefined, family: string, type: string, samples: Map<string, number>): void {
  const [, name = '', labels, value = ''] = match(line, sampleLine)
  if (!(suffixes[type] ?? ['']).some((suffix) => name === family + suffix)) throw new Error(`${name} is in ${family}`)
  if (!number.test(value)) throw new Error(`${name} has the value ${value}`)
  const key = labels === undefined ? name : `${name}{${labels}}`
  if (samples.has(key)) throw new Error(`${key} appears twice`)
  const parsed = Number(value.replace('Inf', 'Infinity'))
  if (type !== 'gauge' && !(parsed >= 0)) throw new Error(`${key} is ${value}`)
  samples.set(key, parsed)
}

/** Buckets must be cumulative and ascending, and the last one must hold everything. */
function checkHistogram(name: string, samples: ReadonlyMap<string, number>): void {
  const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket`))
  const bounds = buckets.map(([key]) => Number(/le="(.*)"/.exec(key)?.[1]?.replace('+Inf', 'Infinity')))
  const counts = buckets.map(([, value]) => value)
  for (const list of [bounds, counts])
    if (list.some((value, i) => i > 0 && !(value >= (list[i - 1] ?? 0)))) throw new Error(`${name} is out of order`)
  if (bounds.at(-1) !== Infinity) throw new Error(`${name} has no bucket +Inf`)
  if (counts.at(-1) !== samples.get(`${name}_count`)) throw new Error(`${name}: +Inf and _count differ`)
  if (!samples.has(`${name}_sum`)) throw new Error(`${name} has no _sum`)
}
