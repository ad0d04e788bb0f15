/** The questions that a command asks at a terminal: drawn with lists where lines can be redrawn, plain lines elsewhere. */

export interface Choice {
  name: string
  value: string
  /** How the value is typed on a command line, if not as it is. */
  word?: string
}

/** True, or what is wrong with the answer. */
export type Check = (answer: string) => Promise<string | true>

/** `message` is the question without a space at its end. Answers are returned as typed. */
export interface Questions {
  /** Asks for text. The question is asked again until the check passes. */
  text: (message: string, check: Check) => Promise<string>
  /** The same; Tab completes the names of files. */
  fileName: (message: string, check: Check) => Promise<string>
  /** The same; the text is not shown. */
  secret: (message: string, check: Check) => Promise<string>
  /** Asks for one of the choices. With `isOpen`, other text is an answer too. */
  pick: (message: string, choices: readonly Choice[], isOpen: boolean) => Promise<string>
  /** Asks for at least one of the choices. */
  pickSeveral: (message: string, choices: readonly Choice[]) => Promise<string[]>
  /** `usual` is the answer of the Enter key. */
  yesOrNo: (message: string, usual: boolean) => Promise<boolean>
}
