/** Renders the explanation of a lead: a sentence, then one line for each rule, with a mark at the one that decides. */
import type { ExplainedRule, Explanation } from '../../contract/control/explain.js'
import type { LeadStatus } from '../../contract/leads.js'
import { formatDateTime } from '../../phone/local-time.js'
import type { Paint } from '../../output/table/cell.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { widthOf, wrapWords } from '../../output/table/width.js'

export interface ExplanationStyle {
  width: number
  /** The moment of the question in milliseconds, if it is another one than now. */
  at: number | undefined
  /** The calling hours that are assumed, as typed. */
  assumedHours: string | undefined
}

/** Narrower output has a rule's name and its text on separate lines. */
const oneLineWidth = 72
const gap = '  '

export function renderExplanation(explanation: Explanation, style: ExplanationStyle, paint: Paint): string {
  const head = wrapWords(stripControlsFromLine(renderHead(explanation, style)), style.width)
  const rules = explanation.rules.filter(({ applies, rule }) => applies || rule === explanation.decides)
  const labelWidth = Math.max(...rules.map(({ label }) => widthOf(label)))
  const lines = rules.flatMap((rule) => renderRule(rule, explanation.decides === rule.rule, labelWidth, style, paint))
  return [...head, ...lines, ''].join('\n')
}

function renderRule(
  { label, says, verdict }: ExplainedRule,
  isDeciding: boolean,
  labelWidth: number,
  { width }: ExplanationStyle,
  paint: Paint,
): string[] {
  const mark = isDeciding ? `${gap}<- ${verdict === 'forbids' ? 'decides' : 'waits for this'}` : ''
  const emphasize = isDeciding ? paint.bold : (text: string) => text
  const text = stripControlsFromLine(says) + mark
  if (width < oneLineWidth)
    return [`${gap}${paint.dim(label)}`, ...wrapText(text, width, 4).map((line) => emphasize(line))]
  const indent = gap.length * 2 + labelWidth
  const [first = '', ...rest] = wrapText(text, width, indent)
  return [
    `${gap}${paint.dim(label.padEnd(labelWidth))}${gap}${emphasize(first.trimStart())}`,
    ...rest.map((line) => emphasize(line)),
  ]
}

/** Keeps the two blanks before the mark if it stays on its line. */
function wrapText(text: string, width: number, indent: number): string[] {
  const room = Math.max(width - indent, 20)
  const lines = widthOf(text) <= room ? [text] : wrapWords(text.replace(`${gap}<-`, ' <-'), room)
  return lines.map((line) => ' '.repeat(indent) + line)
}

const states: Readonly<Record<LeadStatus, string>> = {
  new: 'is new',
  queued: 'is queued',
  scheduled: 'is scheduled',
  held: 'is held',
  dialing: 'is being dialed',
  on_call: 'is on a call',
  callback_scheduled: 'has a callback booked',
  done: 'is done',
  out_of_queue: 'is out of the queue',
}

function renderHead(explanation: Explanation, { at, assumedHours }: ExplanationStyle): string {
  const { status, time_zones } = explanation
  const conditions = [
    ...(at === undefined ? [] : [`at ${localAndUtc(time_zones, at)}`]),
    ...(assumedHours === undefined ? [] : [`with the calling hours ${assumedHours}`]),
  ].join(', ')
  const start = conditions === '' ? '' : `${conditions.charAt(0).toUpperCase()}${conditions.slice(1)}: `
  return `${start}${who(explanation)} ${states[status]}: ${renderNext(explanation)}.`
}

function who({ name, phone, time_zones }: Explanation): string {
  const zones = time_zones.length > 2 ? `${time_zones.length} time zones` : time_zones.join(' and ')
  const known = [...(name === null ? [] : [phone]), ...(zones === '' ? [] : [zones])].join(', ')
  return `${name ?? phone}${known === '' ? '' : ` (${known})`}`
}

function renderNext({ status, at, decides, next_call_at, time_zones, rules }: Explanation): string {
  if (status === 'done' || status === 'out_of_queue') return 'no call will follow'
  if (status === 'dialing' || status === 'on_call') return 'the end of the call decides about the next one'
  const isHeld = rules.some(({ rule, verdict }) => rule === 'campaign' && verdict === 'waits')
  if (next_call_at !== null) {
    const [next, asked] = [Date.parse(next_call_at), Date.parse(at)]
    if (next <= asked) return 'every rule allows a call'
    const due = `${isHeld ? 'due' : 'next call'} in ${formatLength(next - asked)}, ${localAndUtc(time_zones, next)}`
    return isHeld ? `${due}, and then held until its campaign runs` : due
  }
  if (decides === 'campaign') return 'its campaign does not call'
  if (decides === 'lines') return 'it waits for a free line'
  if (decides === 'calling_hours') return 'its calling hours never open'
  return 'the time of its next call is not known'
}

/** `2026-10-02 08:00 HST (18:00 UTC)`; with the date in UTC if it is another day. */
function localAndUtc(zones: readonly string[], at: number): string {
  const local = formatDateTime(zones, at)
  if (local.endsWith('UTC')) return local
  const utc = formatDateTime([], at)
  return `${local} (${local.startsWith(utc.slice(0, 10)) ? utc.slice(11) : utc})`
}

/** `3 h 12 min`, `2 days 4 h`, `45 s`. */
function formatLength(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  const parts =
    days > 0
      ? [[days, days === 1 ? 'day' : 'days'] as const, [hours, 'h'] as const]
      : [[hours, 'h'] as const, [minutes % 60, 'min'] as const]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
