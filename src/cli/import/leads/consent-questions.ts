/** Asks for the parts of a consent that rows of a file lack, once for all rows; says in a script which flags give them. */
import { consentSourceLength, consentTextLength } from '../../../contract/limits.js'
import { urlOf } from '../../../url.js'
import type { Choice } from '../../input/questions/questions.js'
import { quoteForShell } from '../../input/shell-word.js'
import { findConsentGaps, type ConsentGaps } from '../review/consent-gaps.js'
import { amount } from '../result-sentence.js'
import type { Consent, LeadInput } from '../lead-target.js'
import type { ImportSource } from '../source/source.js'
import type { ImportTarget } from '../target.js'
import type { LeadImport } from './lead-import.js'

const [otherWord, page, text, none] = ['other', 'page', 'text', 'none']
const leaveIncomplete = (rows: number): Choice => ({
  name: rows === 1 ? 'unknown: the row is not added' : 'unknown: these rows are not added',
  value: none,
})

const sources: readonly Choice[] = [
  { name: 'a web form (web_form)', value: 'web_form' },
  { name: 'a call (call)', value: 'call' },
  { name: 'your CRM (crm)', value: 'crm' },
  { name: 'a purchased list (purchased_list)', value: 'purchased_list' },
  { name: 'another word', value: otherWord },
]

const evidences: readonly Choice[] = [
  { name: 'the address of a page', value: page },
  { name: 'the text that was agreed to', value: text },
]

/** Which field of the consent a person wants to give for all rows; `name` is that of a consent part. */
interface Answer {
  field: 'source' | 'url' | 'text'
  value: string
}

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
    await this.#askOnce('source', gaps, (rows) => this.#askForSource(rows))
    await this.#askOnce('evidence', gaps, (rows) => this.#askForEvidence(rows))
  }

  async #askOnce(
    part: 'source' | 'evidence',
    gaps: ConsentGaps,
    ask: (rows: number) => Promise<Answer | undefined>,
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
    ui.addAnswer([`--consent-${answer.field}`, quoteForShell(answer.value)])
  }

  async #askForSource(rows: number): Promise<Answer | undefined> {
    const flag = '--consent-source'
    // A source is proof: the Enter key alone gives none.
    const value = await this.#pick(flag, 'How consent was given', [leaveIncomplete(rows), ...sources])
    if (value === none) return undefined
    if (value !== otherWord) return { field: 'source', value }
    return { field: 'source', value: await this.#type(flag, 'Source of the consent', consentSourceLength) }
  }

  async #askForEvidence(rows: number): Promise<Answer | undefined> {
    const kind = await this.#pick('--consent-url', 'What shows the consent', [...evidences, leaveIncomplete(rows)])
    if (kind === none) return undefined
    if (kind === text)
      return { field: 'text', value: await this.#type('--consent-text', 'Text that was agreed to', consentTextLength) }
    const check = (answer: string) =>
      urlOf(answer) !== undefined || 'Type a whole address, such as https://example.com/form.'
    return { field: 'url', value: await this.#type('--consent-url', 'Address of the page', consentTextLength, check) }
  }

  /** Answers are hidden from the command line to repeat until they are known to be used. */
  async #pick(flag: string, label: string, choices: readonly Choice[]): Promise<string> {
    const { command } = this.#given
    const need = { flag, label, value: undefined, hidden: true, choices: () => Promise.resolve([...choices]) }
    return (await command.promptForMissing(need))[0] ?? none
  }

  async #type(
    flag: string,
    label: string,
    longest: number,
    check: (answer: string) => string | true = () => true,
  ): Promise<string> {
    const isShort = (answer: string) => answer.length <= longest || `Type ${longest} characters at most.`
    const verify = (answer: string) => {
      const short = isShort(answer)
      return short === true ? check(answer) : short
    }
    // The words of the answer are added by the caller.
    const spell = () => []
    const [value = ''] = await this.#given.command.promptForMissing({
      ...{ flag, label, value: undefined, check: verify, spell },
    })
    return value.trim()
  }
}
