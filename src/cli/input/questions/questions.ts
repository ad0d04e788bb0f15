/** The questions that a command asks at a terminal: drawn with lists where lines can be redrawn, plain lines elsewhere. */
import type { YesOrNo, YesOrNoOptions } from './yes-or-no.js'

export interface Choice {
  name: string
  value: string
  /** How the value is typed on a command line, if not as it is. */
  word?: string
  /** Other words that mean this choice, such as the phone and the external id of a lead. */
  keys?: readonly string[]
  /** True if it is picked already, where several can be. */
  isPicked?: boolean
}

export interface PickOptions {
  /** Text that is not in the list is an answer too. */
  isOpen: boolean
  /** Says what the list leaves out: `The latest 50 leads:`. Undefined if it is complete. */
  heading?: string | undefined
  /** The choices that the list leaves out, as far as they can be read while somebody types. */
  more?: (() => AsyncIterable<FurtherPage>) | undefined
}

export interface FurtherPage {
  choices: readonly Choice[]
  /** True if there are no others after these. */
  isLast: boolean
}

/** True, or what is wrong with the answer. */
export type Check = (answer: string) => Promise<string | true>

/** `message` is the question without a space at its end. Answers are returned as typed. */
export interface Questions {
  /** Asks for text, until the check passes. `ifSeveral` is added to what is said about several pasted lines. */
  text: (message: string, check: Check, ifSeveral?: string) => Promise<string>
  /** The same; Tab completes the names of files. */
  fileName: (message: string, check: Check) => Promise<string>
  /** The same; the text is not shown. */
  secret: (message: string, check: Check) => Promise<string>
  /** Asks for one of the choices. */
  pick: (message: string, choices: readonly Choice[], options: PickOptions) => Promise<string>
  /** Asks for at least one of the choices. */
  pickSeveral: (message: string, choices: readonly Choice[]) => Promise<string[]>
  /** Only a typed answer or the Enter key answers. */
  yesOrNo: (message: string, options: YesOrNoOptions) => Promise<YesOrNo>
}
