/** Charts as SVG: bars over time, horizontal bars, and spans of a day. Each has its figures as text as well. */
import { count } from './parts.js'

export interface Bar {
  label: string
  value: number
  /** The part of the value that is drawn darker. */
  part?: number
}

interface BarsProps {
  title: string
  bars: readonly Bar[]
  format?: (value: number) => string
}

const height = 120

/** Bars over time. */
export function Bars({ title, bars, format = count }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const width = 100 / Math.max(1, bars.length)
  const top = bars.reduce((sum, { value }) => sum + value, 0)
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${format(top)} in all, at most ${format(most)}`}
      >
        {bars.map(({ label, value, part }, i) => {
          const tall = (value / most) * (height - 4)
          const dark = part === undefined ? 0 : (part / most) * (height - 4)
          return (
            <g key={label}>
              <title>{`${label}: ${format(value)}`}</title>
              <rect class="bar-back" x={i * width} y={0} width={width} height={height} />
              <rect class="bar" x={i * width + width * 0.12} y={height - tall} width={width * 0.76} height={tall} />
              {dark > 0 && (
                <rect
                  class="bar-part"
                  x={i * width + width * 0.12}
                  y={height - dark}
                  width={width * 0.76}
                  height={dark}
                />
              )}
            </g>
          )
        })}
      </svg>
      <div class="axis" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span class="number">highest {format(most)}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
    </figure>
  )
}

/** A line over time, in percent. It is broken where a value is missing. */
export function PercentLine({ title, points }: { title: string; points: readonly (number | null)[] }) {
  const step = 100 / Math.max(1, points.length)
  const runs: string[][] = [[]]
  points.forEach((value, i) => {
    if (value === null) runs.push([])
    else runs.at(-1)?.push(`${(i + 0.5) * step},${height - value * height}`)
  })
  return (
    <figure class="chart">
      <svg viewBox={`0 -2 100 ${height + 4}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {[0, 0.5, 1].map((part) => (
          <line key={part} class="grid" x1={0} x2={100} y1={height * part} y2={height * part} />
        ))}
        {runs
          .filter((run) => run.length > 0)
          .map((run) => (
            <g key={run[0]}>
              <polyline class="line" points={run.join(' ')} />
              {run.map((point) => (
                <polyline key={point} class="point" points={`${point} ${point}`} />
              ))}
            </g>
          ))}
      </svg>
      <div class="axis">
        <span>{title}</span>
        <span>0 to 100 %</span>
      </div>
    </figure>
  )
}

/** Horizontal bars with their names and values. */
export function Ranking({
  bars,
  label,
  format = count,
}: {
  bars: readonly Bar[]
  label: string
  format?: (value: number) => string
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul class="ranking" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.label}>
          <span>{bar.label}</span>
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar" x={0} y={0} width={(bar.value / most) * 100} height={8} />
          </svg>
          <span class="number">{format(bar.value)}</span>
        </li>
      ))}
    </ul>
  )
}

export interface Span {
  from: number
  to: number
}

interface DayProps {
  from: number
  spans: readonly Span[]
  at: number
  label: string
}

const dayMs = 86_400_000

/** The open hours within a day, with a mark at the current time. */
export function DayStrip({ from, spans, at, label }: DayProps) {
  const x = (ms: number) => ((ms - from) / dayMs) * 100
  return (
    <svg class="strip" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="strip-back" x={0} y={0} width={100} height={10} />
      {spans.map((span) => (
        <rect key={span.from} class="strip-open" x={x(span.from)} y={0} width={x(span.to) - x(span.from)} height={10} />
      ))}
      <rect class="strip-now" x={x(at)} y={0} width={0.6} height={10} />
    </svg>
  )
}
