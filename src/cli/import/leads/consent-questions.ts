/** Asks for the parts of a consent that rows of a file lack, once for all rows; says in a script which flags give them. */
import { askForEvidence, askForSource, wordsOf, type ConsentAnswer } from '../../input/questions/consent-answers.js'
import { findConsentGaps, type ConsentGaps } from '../review/consent-gaps.js'
import { amount } from '../result-sentence.js'
import type { Consent, LeadInput } from '../lead-target.js'
import type { ImportSource } from '../source/source.js'
import type { ImportTarget } from '../target.js'
import type { LeadImport } from './lead-import.js'

const leaveIncomplete = (rows: number): string =>
  rows === 1 ? 'unknown: the row is not added' : 'unknown: these rows are not added'

export class ConsentQuestions {
  readonly #given: LeadImport
  #consent: Consent
  /** Parts that were asked for. After a correction of the columns, they are not asked for again. */
  readonly #asked = new Set<string>()

  constructor(given: LeadImport) {
    this.#given = given
    this.#consent = given.consent
  }

  /** Returns the target whose rows have the parts that the person gave. Never asks for a time, because it differs. */
  async complete(
    source: ImportSource,
    fields: readonly (string | undefined)[],
    targetWith: (consent: Consent) => ImportTarget<LeadInput>,
  ): Promise<ImportTarget<LeadInput>> {
    const target = targetWith(this.#consent)
    if (!fields.some((field) => field?.startsWith('consent.'))) return target
    const gaps = await findConsentGaps(source.table.rows(), target)
    if (!this.#given.isAsked) for (const line of gaps.describe()) this.#given.ui.say(line)
    else await this.#askFor(gaps)
    return targetWith(this.#consent)
  }

  async #askFor(gaps: ConsentGaps): Promise<void> {
    const { command } = this.#given
    const ask: typeof command.promptForMissing = (...needs) => command.promptForMissing(...needs)
    await this.#askOnce('source', gaps, (rows) => askForSource(ask, leaveIncomplete(rows)))
    await this.#askOnce('evidence', gaps, (rows) => askForEvidence(ask, leaveIncomplete(rows)))
  }

  async #askOnce(
    part: 'source' | 'evidence',
    gaps: ConsentGaps,
    ask: (rows: number) => Promise<ConsentAnswer | undefined>,
  ): Promise<void> {
    const lines = gaps.linesWithout(part)
    if (lines === undefined || this.#asked.has(part)) return
    this.#asked.add(part)
    const { ui } = this.#given
    const without = part === 'source' ? 'does not say how it was given' : 'has no page and no text'
    ui.tell(`The consent of ${amount(lines.count, 'rows')} ${without} (${lines.describe()}).`)
    const answer = await ask(lines.count)
    if (answer === undefined) return
    this.#consent = { ...this.#consent, [answer.field]: answer.value }
    ui.addAnswer(wordsOf(answer))
  }
}
