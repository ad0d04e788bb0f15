/** Asks a person who adds one lead for the parts of the consent that are missing. */
import { listParts, missingParts } from '../../import/consent-parts.js'
import { partsGiven } from '../../import/lead-target.js'
import type { consentOf } from '../consent.js'
import { askForEvidence, askForSource, askForTime, wordsOf, type ConsentAnswer } from './consent-answers.js'
import type { MissingValue } from './prompt-for-missing.js'

type Consent = ReturnType<typeof consentOf>

/** The command that asks. */
interface Asking {
  promptForMissing: (...needs: MissingValue[]) => Promise<string[]>
  note: (text: string) => void
  answers: { add: (words: readonly string[]) => void }
}

/**
 * The whole consent. Asks if the campaign requires one, or if only a part of it was given. `now` is in milliseconds since
 * the epoch.
 */
export async function completeConsent(
  command: Asking,
  given: Consent,
  { isRequired, now }: { isRequired: boolean; now: () => Promise<number> },
): Promise<Consent> {
  if (given === undefined && !isRequired) return undefined
  const missing = missingParts(partsGiven(given))
  if (missing.length === 0) return given
  command.note(
    given === undefined
      ? 'The campaign requires consent.\n'
      : `The consent is incomplete: it lacks ${listParts(missing)}.\n`,
  )
  const ask: Asking['promptForMissing'] = (...needs) => command.promptForMissing(...needs)
  const questions: Record<(typeof missing)[number]['name'], () => Promise<ConsentAnswer | undefined>> = {
    source: () => askForSource(ask),
    agreed_at: async () => askForTime(ask, await now()),
    evidence: () => askForEvidence(ask),
  }
  const parts: Record<string, string> = {}
  for (const { name } of missing) {
    const answer = await questions[name]()
    if (answer === undefined) continue
    parts[answer.field] = answer.value
    command.answers.add(wordsOf(answer))
  }
  return { ...given, ...parts } as Consent
}
