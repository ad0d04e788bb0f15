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
      <figcaption>
        {title} <strong>{format(top)}</strong>
      </figcaption>
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
        <span>{bars.at(-1)?.label}</span>
      </div>
    </figure>
  )
}

/** One line over time, in percent. */
export function PercentLine({ title, points }: { title: string; points: readonly (number | null)[] }) {
  const step = 100 / Math.max(1, points.length - 1)
  const known = points.flatMap((value, i) => (value === null ? [] : [{ x: i * step, y: height - value * height }]))
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 -2 100 ${height + 4}`} preserveAspectRatio="none" role="img" aria-label={title}>
        <line class="grid" x1={0} x2={100} y1={height / 2} y2={height / 2} />
        <polyline class="line" points={known.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {known.map(({ x, y }) => (
          <line key={x} class="point" x1={x} x2={x} y1={y} y2={y} />
        ))}
      </svg>
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
