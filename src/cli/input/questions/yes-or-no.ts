/** The answer to a question with yes or no, as it is typed. */

/** `other` is a third answer, which some questions have. */
export type YesOrNo = 'yes' | 'no' | 'other'

export interface YesOrNoOptions {
  /** The answer of the Enter key. */
  usual: boolean
  /** The letter of a third answer, which the text before the question names. */
  other?: string | undefined
}

/** Shown behind the question. */
export const yesOrNoHint = ({ usual }: YesOrNoOptions): string => (usual ? '(Y/n)' : '(y/N)')

/** Undefined if the text is no answer. */
export function readYesOrNo(typed: string, { usual, other }: YesOrNoOptions): YesOrNo | undefined {
  const text = typed.trim().toLowerCase()
  if (text === '') return usual ? 'yes' : 'no'
  if (text === 'y' || text === 'yes') return 'yes'
  if (text === 'n' || text === 'no') return 'no'
  return other !== undefined && text === other ? 'other' : undefined
}

/** What to say about a text that is no answer. */
export const describeAnswers = ({ other }: YesOrNoOptions): string =>
  other === undefined ? 'Type y or n.' : `Type y, n or ${other}.`
