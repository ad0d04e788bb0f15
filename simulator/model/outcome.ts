/** Call outcomes: the label of each, and what happens to the lead after such a call (rules D13 and S3). */
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { aftermath as plainAftermath, type Aftermath } from '../../src/dialing/aftermath.js'
import type { Duration } from '../kernel/instant.js'

/** What happens to the lead after a call, with delays of simulated time. */
export const aftermath = plainAftermath as Readonly<Record<Outcome, Aftermath<Duration>>>

const humanize = (outcome: string) => outcome.charAt(0).toUpperCase() + outcome.slice(1).replaceAll('_', ' ')

const labels = Object.fromEntries(
  Object.keys(aftermath).map((outcome) => [outcome, outcome === 'dnc' ? 'Do not call' : humanize(outcome)]),
) as Readonly<Record<Outcome, string>>

/** The default name of an outcome. */
export const outcomeLabel = (outcome: Outcome): string => labels[outcome]
