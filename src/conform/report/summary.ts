/** Sums up the results of a run: one line for each numbered rule. */
import { groups, type Group } from '../groups.js'
import type { CheckResult, ConformanceResult, Verdict } from './result.js'
import { ruleNumbers, ruleOf } from '../rules.js'

export interface RuleLine {
  rule: string
  title: string
  result: Verdict
  /** How many checks asked, and how many there are. */
  asked: number
  checks: number
  /** Why the rule could not be asked. */
  reason: string | null
}

/** One line for each rule, in the order of docs/rules.md. With chosen groups, only rules with checks in them. */
export function summarize(results: readonly CheckResult[], chosen: readonly Group[] = groups): RuleLine[] {
  const isWhole = groups.every((group) => chosen.includes(group))
  const others = [...new Set(results.map(({ rule }) => rule))].filter(
    (rule) => !ruleNumbers.some((one) => one === rule),
  )
  return [...ruleNumbers, ...others].flatMap((rule) => {
    const own = results.filter((result) => result.rule === rule)
    return own.length === 0 && !isWhole ? [] : [lineOf(rule, own)]
  })
}

function lineOf(rule: string, own: readonly CheckResult[]): RuleLine {
  const { title, unasked } = ruleOf(rule)
  const asked = own.filter(({ result }) => result !== 'not_asked').length
  const result = own.some((one) => one.result === 'departs') ? 'departs' : asked > 0 ? 'holds' : 'not_asked'
  const reason =
    result === 'not_asked'
      ? (own.find((one) => one.reason !== undefined)?.reason ?? unasked ?? 'only a slow run asks for it; add --slow')
      : null
  return { rule, title, result, asked, checks: own.length, reason }
}

/** Whether everything that was asked holds. */
export const conforms = ({ summary, differences = [] }: ConformanceResult): boolean =>
  summary.departs === 0 && differences.length === 0
