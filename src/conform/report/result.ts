/** What a conformance run found. Secrets and personal data in it are masked. */
import type { Group } from '../groups.js'

export type Verdict = 'holds' | 'departs' | 'not_asked'

/** A request as it was sent, with its secrets and phone numbers masked. */
export interface ShownRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
}

/** A reply as it came, with its secrets and phone numbers masked. */
export interface ShownResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

export interface CheckResult {
  /** Number of the rule in docs/rules.md. */
  rule: string
  group: Group
  title: string
  result: Verdict
  /** Why it could not be asked. */
  reason?: string
  request?: ShownRequest
  response?: ShownResponse
  expected?: string
}

/** What stays in the deployment after the run, because the API cannot remove it or the removal failed. */
export interface LeftBehind {
  leads: number
  campaign_id: string | null
  /** Sentences about what could not be cleaned up. */
  not_removed: string[]
}

/** A difference between the deployment and a fresh simulator that got the same requests. */
export interface Difference {
  rule: string
  title: string
  /** Method and path of the request. */
  request: string
  deployment: string
  simulator: string
}

export interface ConformanceResult {
  base_url: string
  mode: 'live' | 'test'
  checks: CheckResult[]
  summary: Record<Verdict, number>
  left_behind: LeftBehind
  /** Number of checks that only a slow run makes. */
  left_out: number
  /** Number of requests sent. */
  requests: number
  /** True if the run was interrupted. */
  interrupted: boolean
  /** Only with `against`. */
  differences?: Difference[]
}
