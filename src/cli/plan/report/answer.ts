/** The answer of a plan in sentences. The first one is the answer, the others say why and what would change it. */
import type { BindingRule, PlanResult, PlanRow, Relief } from './plan-result.js'
import { deadlineMoment, longMoment, shortMoment } from './moment-text.js'
import { usualLines } from '../line-search.js'

const number = (value: number): string => value.toLocaleString('en-US')
const lineWord = (lines: number): string => `${number(lines)} ${lines === 1 ? 'line' : 'lines'}`
const leadWord = (leads: number): string => (leads === 1 ? 'the lead' : `all ${number(leads)} leads`)

export function describeAnswer(plan: PlanResult, zone: string): string[] {
  const { table, leads, deadline, lines } = plan
  if (leads.callable === 0) return [`None of the ${number(leads.total)} leads can ever be called.`]
  if (table.length === 0) return ['The plan was stopped before the first result.']
  const row = table.find((one) => one.lines === lines)
  if (deadline !== null && row) return answerOfDeadline(plan, row, Date.parse(deadline), zone)
  if (deadline !== null) return [...answerOfMiss(plan, zone), ...stoppedNote(plan)]
  return [...answerOfNow(plan, zone), ...stoppedNote(plan)]
}

function answerOfDeadline(plan: PlanResult, row: PlanRow, deadline: number, zone: string): string[] {
  const done = Date.parse(row.done_by ?? '')
  const many = lineWord(row.lines)
  const verb = row.lines === 1 ? 'makes' : 'make'
  const share = shareOfSimulations(plan)
  const first = `${many} ${verb} it by ${deadlineMoment(zone, deadline)}: ${leadWord(plan.leads.callable)} ${isAre(plan.leads.callable)} done by ${shortMoment(zone, done)} ${share}.`
  return [
    first,
    spendSentence(row),
    bindingSentence(row),
    ...jumpNote(plan),
    ...arithmeticNote(plan, row),
    ...stoppedNote(plan),
  ]
}

/** In how many simulations the leads are done by the time that is named. */
const shareOfSimulations = ({ assumptions }: PlanResult): string =>
  assumptions.seeds.length === 1 ? 'in the only simulation' : 'in 90% of the simulations'

const isAre = (count: number): string => (count === 1 ? 'is' : 'are')

function spendSentence({ calls, minutes, cost_usd, reached, interested }: PlanRow): string {
  const cost =
    cost_usd === null
      ? 'the cost is unknown'
      : `cost $${cost_usd.toLocaleString('en-US', { maximumFractionDigits: cost_usd < 100 ? 2 : 0 })}`
  return `That takes about ${number(calls)} calls and ${number(minutes)} minutes (${cost}), reaches ${number(reached)} people and interests ${number(interested)}.`
}

const bindingTexts: Readonly<Record<BindingRule, string>> = {
  lines: 'Lines hold it back: more of them finish sooner.',
  hours: 'Calling hours hold it back: longer ones finish sooner than more lines or fewer attempts.',
  retries: 'Retries hold it back: the last leads wait for their next attempt, and more lines would hardly help.',
  cap: 'The spend cap holds it back.',
  nothing: 'No rule holds it back: the last leads wait for callbacks that they asked for.',
}

function bindingSentence({ binds, binds_certain }: PlanRow): string {
  if (binds === null) return ''
  return binds_certain ? bindingTexts[binds] : `${bindingTexts[binds]} Not all simulations agree on that.`
}

/** A smaller number makes it, but a larger one does not. */
function jumpNote({ table, lines }: PlanResult): string[] {
  const missed = table.findLast((row) => row.makes_deadline === false && row.lines < (lines ?? 0))
  const lucky = table.find((row) => row.makes_deadline && missed && row.lines < missed.lines)
  if (!lucky || !missed) return []
  return [
    `${lineWord(lucky.lines)} would make it too, but ${number(missed.lines)} would not: there a retry falls on another day. From ${number(lines ?? 0)} on, every number in the table makes it.`,
  ]
}

function arithmeticNote({ arithmetic_lines: guess }: PlanResult, { lines }: PlanRow): string[] {
  if (guess === null || guess >= lines) return []
  return [`Arithmetic (calls x minutes / open hours) says ${number(guess)}, which is not enough.`]
}

/** What happens when the deadline is missed. That it is missed, and what would have to give, is in the error. */
function answerOfMiss({ table, leads, deadline, assumptions }: PlanResult, zone: string): string[] {
  const largest = table.at(-1)!
  const done = largest.done_by_deadline ?? 0
  const inTime = `${number(done)} of ${number(leads.callable)} (${shareText(done, leads.callable)})`
  const end = largest.cap_reached
    ? `calling ends at the spend cap, after about ${number(largest.calls)} calls`
    : largest.done_by === null
      ? `leads are still not done by ${longMoment(zone, Date.parse(assumptions.until))}`
      : `${leadWord(leads.callable)} ${isAre(leads.callable)} done by ${longMoment(zone, Date.parse(largest.done_by))}`
  return [
    `Too late: with ${lineWord(largest.lines)}, ${end}. At the deadline, ${deadlineMoment(zone, Date.parse(deadline ?? ''))}, ${inTime} are done.`,
    bindingSentence(largest),
  ]
}

/** Percent of the leads that are done. It is 100% only if all are. */
export function shareText(done: number, callable: number): string {
  const percent = (100 * done) / Math.max(callable, 1)
  return `${percent < 10 || percent > 99 ? Math.floor(percent * 10) / 10 : Math.floor(percent)}%`
}

/** `No number of lines makes it by Fri 2026-11-27 17:00 EST`. */
export function refusalSentence({ table, deadline, assumptions, relief }: PlanResult, zone: string): string {
  if (deadline === null || table.every(({ cap_reached }) => cap_reached))
    return `The spend cap of $${number(assumptions.spend_cap_usd ?? 0)} ends the calling`
  const moreHelp = relief.some(({ rule, done_by }) => rule === 'lines' && done_by !== null)
  const subject = moreHelp
    ? `None of ${table.map(({ lines }) => number(lines)).join(', ')} lines`
    : 'No number of lines'
  return `${subject} makes it by ${deadlineMoment(zone, Date.parse(deadline))}`
}

const reliefNames: Readonly<Record<Relief['rule'], (plan: PlanResult, relief: Relief) => string>> = {
  lines: () => 'with more lines',
  hours: () => 'with calling hours from 08:00 to 21:00 every day',
  retries: ({ assumptions }, { max_attempts = 1 }) =>
    `with ${max_attempts} ${max_attempts === 1 ? 'attempt' : 'attempts'} instead of ${assumptions.max_attempts}`,
  cap: () => 'without the spend cap',
}

/** What would have to give. */
export function reliefSentence(plan: PlanResult, zone: string): string {
  const enough = plan.relief.filter(({ done_by }) => done_by !== null)
  if (enough.length > 0) {
    const ways = enough.map(
      (one) => `${reliefNames[one.rule](plan, one)} (by ${shortMoment(zone, Date.parse(one.done_by!))})`,
    )
    return `It is made ${ways.join(', or ')}.`
  }
  if (plan.table.some(({ cap_reached }) => cap_reached))
    return 'The spend cap would have to give: raise it, or plan fewer leads.'
  if (plan.relief.length === 0) return 'No rule can give: the deadline would have to.'
  const names = plan.relief.map(({ rule }) => rule)
  return `No single rule would be enough (${names.join(', ')}): move the deadline, or change several of them.`
}

/** Without a deadline: when the campaign would be done as it is. */
function answerOfNow(plan: PlanResult, zone: string): string[] {
  const { table, leads, assumptions } = plan
  const current = table.find(({ lines }) => lines === (plan.current_lines ?? usualLines)) ?? table[0]!
  if (current.cap_reached)
    return [
      `With ${lineWord(current.lines)}, calling ends at the spend cap, before ${leadWord(leads.callable)} ${isAre(leads.callable)} done.`,
      spendSentence(current),
    ]
  const end =
    current.done_by === null
      ? `are not done by ${longMoment(zone, Date.parse(assumptions.until))}`
      : `${isAre(leads.callable)} done by ${longMoment(zone, Date.parse(current.done_by))} ${shareOfSimulations(plan)}`
  return [
    `With ${lineWord(current.lines)}, ${leadWord(leads.callable)} ${end}.`,
    spendSentence(current),
    bindingSentence(current),
  ]
}

const stoppedNote = ({ complete }: PlanResult): string[] =>
  complete ? [] : ['The plan was stopped: only finished simulations are shown.']
