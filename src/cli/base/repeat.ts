/** Command lines that do the same again: without questions, or from another place. */
import { stripControlsFromLine } from '../../output/sanitize.js'
import { quoteForShell } from '../input/shell-word.js'

/** Answers to questions, until the person has seen them as a command line. */
export class Answers {
  readonly #words: string[] = []
  readonly #meant = new Map<string, string>()
  #isDue = false
  #isConfirmed = false

  /** Adds answers as words of a command line. */
  add(words: readonly string[]): void {
    this.#words.push(...words)
    this.#isDue = true
  }

  /** Records that a confirmation was given. It does not call for a line, but belongs to it. */
  confirm(): void {
    this.#isConfirmed = true
  }

  /** Records the id that a word meant, because a word may mean something else next time. */
  replace(word: string, id: string): void {
    this.#meant.set(quoteForShell(word), id)
  }

  /** All answers so far. */
  get words(): readonly string[] {
    return this.#words
  }

  /** The line that does the same without questions, once after there were some. */
  takeLine(typed: readonly string[]): string | undefined {
    if (!this.#isDue) return undefined
    this.#isDue = false
    const words = [...typed.map(quoteForShell), ...this.#words]
    for (const [word, id] of this.#meant) {
      // Which of two equal words was looked up is not known.
      if (words.indexOf(word) !== words.lastIndexOf(word)) return undefined
      if (words.includes(word)) words[words.indexOf(word)] = id
    }
    const line = ['The same again without questions:', ...words, ...(this.#isConfirmed ? ['--yes'] : [])].join(' ')
    return stripControlsFromLine(line)
  }
}

export interface TypedCommand {
  /** Such as `leads list`. */
  typed: string
  argv: readonly string[]
  isBoolean: (flag: string) => boolean
}

/** The command line with an added flag, without its previous value and the conflicting flags. */
export function repeatWith(
  { typed, argv, isBoolean }: TypedCommand,
  [flag, value]: readonly [flag: string, value: string],
  instead: readonly string[] = [],
): string {
  const dropped = [flag, ...instead]
  const kept: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (!dropped.includes(word.split('=')[0] ?? '')) kept.push(quoteForShell(word))
    else if (!word.includes('=') && !isBoolean(word.slice(2))) at++
  }
  return ['svc', typed, ...kept, flag, quoteForShell(value)].join(' ')
}
