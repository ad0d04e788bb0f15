/** Shows a run as text: a line for each rule, then what departs. */
import type { CheckResult, ConformanceResult, Difference } from './result.js'
import type { RuleLine } from './summary.js'

export interface ReportStyle {
  /** Columns of the terminal. */
  width: number
  red: (text: string) => string
  green: (text: string) => string
  dim: (text: string) => string
  /** Breaks a text into lines between words. */
  wrap: (text: string, width: number) => string[]
  /** Removes control characters of text from outside. */
  clean: (text: string) => string
}

/** The whole report. `lines` sums up the checks by rule. */
export function formatReport(
  result: ConformanceResult,
  lines: readonly RuleLine[],
  seconds: number,
  style: ReportStyle,
): string {
  return [
    formatRules(lines, style),
    formatDepartures(result.checks, style),
    formatDifferences(result.differences ?? [], style),
    formatEnd(result, lines, seconds),
  ].join('')
}

const words = { holds: 'holds', departs: 'DEPARTS', not_asked: 'not asked' } as const

function formatRules(lines: readonly RuleLine[], style: ReportStyle): string {
  return lines.map((line) => `${formatRule(line, style)}\n`).join('')
}

const markWidth = 16

function formatRule({ rule, title, result, asked, checks, reason }: RuleLine, style: ReportStyle): string {
  const { width, red, green, dim } = style
  const paint = { holds: green, departs: red, not_asked: dim }[result]
  const missing = checks - asked
  const rest =
    result === 'not_asked' ? `: ${reason ?? ''}` : missing > 0 ? ` (${missing} of ${checks} checks not asked)` : ''
  const [first = '', ...more] = breakLines(`${title}${rest}`, width - markWidth - 1, style)
  const text = (line: string) => (result === 'not_asked' ? dim(line) : line)
  const lines = [`${rule.padEnd(4)} ${paint(words[result].padEnd(9))}  ${text(first)}`]
  return [...lines, ...more.map((line) => ' '.repeat(markWidth) + text(line))].join('\n')
}

/** Lines of at most a width. Long words, such as JSON, are broken. */
function breakLines(text: string, width: number, { wrap, clean }: ReportStyle): string[] {
  const most = Math.max(width, 20)
  if (most === Infinity) return [clean(text)]
  return wrap(clean(text), most).flatMap((line) => line.match(new RegExp(`.{1,${most}}`, 'gu')) ?? [''])
}

/** What departs, with the request, the answer and what was expected. */
function formatDepartures(checks: readonly CheckResult[], style: ReportStyle): string {
  return checks
    .filter(({ result }) => result === 'departs')
    .map((check) => `\n${formatDeparture(check, style)}`)
    .join('')
}

function formatDeparture(
  { rule, title, request, response, expected, reason }: CheckResult,
  style: ReportStyle,
): string {
  const field = (name: string, text: string) => indent(name, text, style)
  const answer = response ? `${response.status} ${bodyText(response.body)}` : (reason ?? 'none')
  return [
    style.red(`${rule} departs`) + `: ${title}\n`,
    request ? field('request', `${request.method} ${request.path} ${bodyText(request.body)}`.trimEnd()) : '',
    field('answer', answer),
    field('expected', expected ?? ''),
  ].join('')
}

function formatDifferences(differences: readonly Difference[], style: ReportStyle): string {
  return differences
    .map(({ rule, title, request, deployment, simulator }) =>
      [
        `\n${style.red(`${rule} differs`)}: ${title}\n`,
        indent('request', request, style),
        indent('deployment', deployment, style),
        indent('simulator', simulator, style),
      ].join(''),
    )
    .join('')
}

const nameWidth = 12

function indent(name: string, text: string, style: ReportStyle): string {
  const lines = breakLines(text, style.width - nameWidth - 3, style)
  return lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(nameWidth)}${line}\n`).join('')
}

const shownMax = 600

function bodyText(body: unknown): string {
  if (body === null || body === undefined) return ''
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

/** The last lines: counts, requests and what stays. */
function formatEnd(result: ConformanceResult, lines: readonly RuleLine[], seconds: number): string {
  const count = (verdict: RuleLine['result']) => lines.filter((line) => line.result === verdict).length
  const [holds, departs, open] = [count('holds'), count('departs'), count('not_asked')]
  const rules = (n: number, verb: string, verbs: string) => `${n} ${n === 1 ? `rule ${verb}` : `rules ${verbs}`}`
  const { checks, requests, interrupted, differences, left_behind: left, left_out: leftOut } = result
  const ended = interrupted ? 'Interrupted. ' : ''
  const compared =
    differences === undefined
      ? ''
      : `${differences.length === 0 ? 'No reply differs' : `${differences.length} replies differ`} from the simulator.\n`
  return [
    `\n${ended}${rules(holds, 'holds', 'hold')}, ${departs} ${departs === 1 ? 'departs' : 'depart'}, ${open} could not be asked: ${checks.length} checks, ${requests} requests, ${Math.round(seconds)} s.\n`,
    compared,
    leftOut > 0 ? `${leftOut} more checks run with --slow.\n` : '',
    left.leads > 0
      ? `${left.leads} test ${left.leads === 1 ? 'lead stays' : 'leads stay'} in campaign ${left.campaign_id ?? ''}: the API cannot remove leads.\n`
      : '',
    ...left.not_removed.map((sentence) => `${sentence}\n`),
  ].join('')
}
