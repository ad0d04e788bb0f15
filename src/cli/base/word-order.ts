/** Accepts global flags before the command or inside it: `svc --json leads list`, `svc leads --json list`. */

import { isFieldList } from './json-fields.js'

/** The parts of a flag definition that are needed to move it. */
interface FlagForm {
  char?: string | undefined
  type: string
}

type FlagForms = Readonly<Record<string, FlagForm>>

/**
 * Moves global flags behind the last word of the command. `ids` lists all commands, with colons. Words that name no command move
 * to the front too, so that the error for an unknown command names them.
 */
export function commandFirst(argv: readonly string[], ids: readonly string[], flags: FlagForms): string[] {
  const words: string[] = []
  const moved: string[] = []
  const isBegun = (word: string) => isBeginning([...words, word], ids)
  const beginsWithFields = ([next = '', ...following]: readonly string[]) => {
    if (next === '' || next.startsWith('-') || isBegun(next)) return false
    return isFieldList(next) || leadsToCommand(words, following, ids, flags)
  }
  let rest = argv
  let isField = false
  for (const token of tokensOf(argv, flags)) {
    const [word = ''] = token.words
    if (isField || token.isGlobal) moved.push(...token.words)
    else if (isBegun(word)) words.push(word)
    else break
    rest = token.rest
    isField = token.isGlobal && word === '--json' && beginsWithFields(rest)
  }
  if (ids.includes(words.join(':'))) return [...words, ...moved, ...rest]
  if (words.length === 0 && rest[0]?.startsWith('-')) return [...rest, ...moved]
  const flag = rest.findIndex((word) => word.startsWith('-'))
  const unknown = flag < 0 ? rest : rest.slice(0, flag)
  return [...words, ...unknown, ...moved, ...rest.slice(unknown.length)]
}

/** True if the words are a command or the beginning of one. */
function isBeginning(words: readonly string[], ids: readonly string[]): boolean {
  const id = words.join(':')
  return ids.some((known) => known === id || known.startsWith(`${id}:`))
}

/** True if a command follows, with global flags before and inside it. A word between it and `--json` is then a field. */
function leadsToCommand(
  words: readonly string[],
  following: readonly string[],
  ids: readonly string[],
  flags: FlagForms,
): boolean {
  const found = [...words]
  for (const { words: token, isGlobal } of tokensOf(following, flags)) {
    if (isGlobal) continue
    if (!isBeginning([...found, ...token], ids)) break
    found.push(...token)
  }
  return found.length > words.length && ids.includes(found.join(':'))
}

interface Token {
  words: readonly string[]
  isGlobal: boolean
  /** What follows it. */
  rest: readonly string[]
}

/** Reads a command line: each token is a global flag with its value, or any other single word. */
export function* tokensOf(argv: readonly string[], flags: FlagForms): Generator<Token> {
  for (let rest = argv; rest.length > 0;) {
    const length = lengthOfFlag(rest, flags)
    const words = rest.slice(0, length || 1)
    rest = rest.slice(words.length)
    yield { words, isGlobal: length > 0, rest }
  }
}

/** Number of words of the global flag that comes first: 1, or 2 with a separate value. 0 for any other word. */
function lengthOfFlag([word = '']: readonly string[], flags: FlagForms): 0 | 1 | 2 {
  const flag = flagOf(word, flags)
  if (!flag) return 0
  return flag.type === 'option' && !hasValue(word) ? 2 : 1
}

function flagOf(word: string, flags: FlagForms): FlagForm | undefined {
  const name = /^--([^=]+)/.exec(word)?.[1]
  if (name !== undefined) return Object.hasOwn(flags, name) ? flags[name] : undefined
  return Object.values(flags).find(({ char }) => char !== undefined && word.startsWith(`-${char}`))
}

/** True if the value is in the same word: `--output=json`, `-ojson`. */
const hasValue = (word: string): boolean => (word.startsWith('--') ? word.includes('=') : word.length > 2)
