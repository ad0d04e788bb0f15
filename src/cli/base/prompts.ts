/** The questions of a command to a person at its terminal, and the command line that does the same without them. */
import { isInteractive, type IO } from '../../config/environment.js'
import {
  askToConfirm,
  askYesOrNo,
  pickOne,
  promptForMissing,
  type MissingValue,
} from '../input/questions/prompt-for-missing.js'
import type { Choice } from '../input/questions/questions.js'
import { Answers } from './repeat.js'

export interface PromptsOptions {
  around: IO
  noInput: () => boolean
  /** Begins every question; empty unless the key is live. */
  badge: () => string
  /** Where a person learns what the command takes. */
  help: () => string
  /** Adds an example of the command to a hint about a missing value. */
  withExample: (hint: string, missing: string) => string
  /** Waits for the answer of a person. */
  wait: <T>(answer: Promise<T>) => Promise<T>
}

export class Prompts {
  readonly #options: PromptsOptions
  /** The answers, as words of a command line. */
  readonly answers = new Answers()

  constructor(options: PromptsOptions) {
    this.#options = options
  }

  /** True at a terminal where questions are possible. */
  get isInteractive(): boolean {
    return isInteractive(this.#options.around, this.#options.noInput())
  }

  missing(needs: readonly MissingValue[]): Promise<string[]> {
    const { around, noInput, badge, help, withExample, wait } = this.#options
    const answered = (words: readonly string[]) => this.answers.add(words)
    const options = { noInput: noInput(), help: help(), badge: badge(), answered }
    const hinted = needs.map((need) => ({ ...need, ...(need.hint && { hint: withExample(need.hint, need.flag) }) }))
    return wait(promptForMissing(around, options, hinted))
  }

  pick(message: string, choices: readonly Choice[]): Promise<string> {
    const { around, badge, wait } = this.#options
    return wait(pickOne(around, badge(), message, choices))
  }

  /** Asks before what cannot be undone. `yes` answers. */
  async confirm(yes: boolean, question: string): Promise<void> {
    const { around, noInput, badge, wait } = this.#options
    await wait(askToConfirm(around, { yes, noInput: noInput(), badge: badge() }, question))
    if (!yes) this.answers.confirm()
  }

  /** Asks a question; `usual` is the answer of the Enter key. Only for a terminal. */
  agree(question: string, usual: boolean): Promise<boolean> {
    return askYesOrNo(this.#options.around, question, { badge: this.#options.badge(), usual })
  }
}
