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
  /** Returns if the rule holds. Throws `DepartureError` or `NotAskableError` otherwise. */
  readonly run: (session: Session) => Promise<void>
}
