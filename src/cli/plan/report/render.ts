/** Renders a plan for a person: the answer as a sentence, the table by lines, what is never called, and the assumptions. */
import type { Paint } from '../../../output/table/cell.js'
import { renderTable } from '../../../output/table/table.js'
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { widthOf, wrapWords } from '../../../output/table/width.js'
import { describeAnswer, shareText } from './answer.js'
import { renderChart } from './chart.js'
import { shortMoment } from './moment-text.js'
import { listAssumptions } from './assumption-texts.js'
import { listUnreachable } from './unreachable.js'
import { calibrationLines } from '../calibration/calibration-text.js'
import type { PlanResult, PlanRow } from './plan-result.js'

export interface PlanStyle {
  width: number
  /** Zone of the times. */
  zone: string
  /** Whether the calls of each hour are drawn. */
  withChart: boolean
  header: boolean
}

const gap = '  '
/** Narrower output has labels on lines of their own. */
const oneLineWidth = 72

export async function renderPlan(plan: PlanResult, style: PlanStyle, paint: Paint): Promise<string> {
  const { width, zone } = style
  const answer = describeAnswer(plan, zone)
  const [first = '', ...more] = answer
  const blocks = [
    [...wrap(first, width).map((line) => paint.bold(line)), ...more.flatMap((text) => wrap(text, width))],
    ...(plan.table.length > 0 ? [await tableLines(plan, style, paint)] : []),
    ...(style.withChart ? [chartLines(plan, style, paint)] : []),
    section(titleOfUnreachable(plan), listUnreachable(plan.unreachable), width, paint),
    ...(plan.calibration ? [calibrationLines(plan.calibration, width, paint)] : []),
    section('Assumptions', listAssumptions(plan, zone), width, paint),
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}

const wrap = (text: string, width: number): string[] => wrapWords(stripControlsFromLine(text), width)

async function tableLines(plan: PlanResult, { width, zone, header }: PlanStyle, paint: Paint): Promise<string[]> {
  const columns = Object.keys(cellsOf(plan.table[0]!, plan, zone))
  const hasCost = plan.table.some(({ cost_usd }) => cost_usd !== null)
  const isLate = plan.table.some(({ makes_deadline }) => makes_deadline === false)
  const isShown: Readonly<Record<string, boolean>> = { cost_usd: hasCost, in_time: isLate }
  const shown = columns.filter((column) => isShown[column] ?? true)
  const texts = plan.table.map((row) => cellsOf(row, plan, zone))
  const widths = new Map(shown.map((name) => [name, Math.max(...texts.map((cells) => widthOf(cells[name] ?? '')))]))
  const rows = plan.table.map((row, at) =>
    shown.map((name) => ({
      text: textColumns.has(name)
        ? (texts[at]?.[name] ?? '')
        : (texts[at]?.[name] ?? '').padStart(widths.get(name) ?? 0),
      paint: row.lines === plan.lines ? paint.bold : row.makes_deadline === false ? paint.dim : undefined,
    })),
  )
  const table = await renderTable(shown, rows, { width, header, bold: paint.bold, dim: paint.dim })
  return table.trimEnd().split('\n')
}

const textColumns = new Set(['done_by', 'binds'])

/** The most important columns first: a narrow terminal leaves out the others. */
function cellsOf(row: PlanRow, plan: PlanResult, zone: string): Record<string, string> {
  const mark = row.lines === plan.lines ? '> ' : ''
  return {
    lines: `${mark}${number(row.lines)}`,
    done_by: doneBy(row, zone),
    binds: row.binds === null ? '?' : `${row.binds}${row.binds_certain ? '' : ' ?'}`,
    in_time: row.done_by_deadline === null ? '' : shareText(row.done_by_deadline, plan.leads.callable),
    cost_usd: row.cost_usd === null ? '' : money(row.cost_usd),
    calls: number(row.calls),
    minutes: number(row.minutes),
    reached: number(row.reached),
    interested: number(row.interested),
    busy_hours: row.busy_hours.toFixed(1),
  }
}

function doneBy({ done_by, makes_deadline, cap_reached }: PlanRow, zone: string): string {
  if (done_by === null) return cap_reached ? 'cap reached' : 'not in time'
  return `${shortMoment(zone, Date.parse(done_by))}${makes_deadline === false ? ' late' : ''}`
}

const number = (value: number): string => value.toLocaleString('en-US')
export const money = (usd: number): string =>
  usd >= 100 ? Math.round(usd).toLocaleString('en-US') : usd.toLocaleString('en-US', { minimumFractionDigits: 2 })

function chartLines({ chart }: PlanResult, { width, zone }: PlanStyle, paint: Paint): string[] {
  if (!chart || chart.days.length === 0) return []
  const title = `Calls an hour with ${number(chart.lines)} lines, ${zone}`
  return [...wrap(title, width).map((line) => paint.bold(line)), ...renderChart(chart.days, width)]
}

function titleOfUnreachable({ unreachable, leads }: PlanResult): string {
  return `Never called: ${number(unreachable.length)} of ${number(leads.total)} leads`
}

/** A title, then labels with their texts: side by side, or below each other where the screen is narrow. */
export function section(
  title: string,
  entries: readonly (readonly [label: string, text: string])[],
  width: number,
  paint: Paint,
): string[] {
  if (entries.length === 0) return []
  const labelWidth = Math.max(...entries.map(([label]) => widthOf(label)))
  const lines = entries.flatMap(([label, text]) => {
    if (width < oneLineWidth)
      return [
        ...(label === '' ? [] : wrap(label, width - 2).map((line) => `${gap}${paint.dim(line)}`)),
        ...wrap(text, width - 4).map((line) => `${gap}${gap}${line}`),
      ]
    const [first = '', ...rest] = wrap(text, width - labelWidth - 4)
    const indent = ' '.repeat(labelWidth + 4)
    return [`${gap}${paint.dim(label.padEnd(labelWidth))}${gap}${first}`, ...rest.map((line) => indent + line)]
  })
  return [...wrap(title, width).map((line) => paint.bold(line)), ...lines]
}
