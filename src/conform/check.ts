/** A check: one question to the deployment, with the rule that says how it must answer. */
import type { Permission } from '../contract/permissions.js'
import type { Group } from './groups.js'
import type { Session } from './session.js'

export interface Check {
  /** Number of the rule in docs/rules.md. */
  readonly rule: string
  readonly group: Group
  /** A sentence that says what must hold. */
  readonly title: string
  /** Permissions that the key must have for the question. */
  readonly needs?: readonly Permission[]
  /** True if it takes minutes and so runs only with `slow`. */
  readonly slow?: boolean
  /** True if a run within a usual rate limit leaves it out, unless it is slow: other checks ask for the same rule. */
  readonly extra?: boolean
  /** Returns if the rule holds. Throws `DepartureError` or `NotAskableError` otherwise. */
  readonly run: (session: Session) => Promise<void>
}

/** Marks checks as extra by words of their titles. Each must be in a title. */
export function withExtras(checks: readonly Check[], ...words: readonly string[]): readonly Check[] {
  const unknown = words.find((word) => !checks.some(({ title }) => title.includes(word)))
  if (unknown !== undefined) throw new Error(`no check has "${unknown}" in its title`)
  return checks.map((check) => (words.some((word) => check.title.includes(word)) ? { ...check, extra: true } : check))
}
