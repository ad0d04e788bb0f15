/** Accepts global flags before the command or inside it: `svc --json leads list`, `svc leads --json list`. */

import { isFieldList } from './json-fields.js'

/** The parts of a flag definition that are needed to move it. */
interface FlagForm {
  char?: string | undefined
  type: string
}

/** Moves global flags behind the last word of the command. `ids` lists all commands, with colons. */
export function commandFirst(
  argv: readonly string[],
  ids: readonly string[],
  flags: Readonly<Record<string, FlagForm>>,
): string[] {
  const words: string[] = []
  const moved: string[] = []
  let at = 0
  for (; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word.startsWith('-')) {
      const flag = flagOf(word, flags)
      if (!flag) break
      moved.push(word)
      if ((flag.type === 'option' && !hasValue(word)) || (word === '--json' && isFieldList(argv[at + 1] ?? '')))
        moved.push(argv[++at] ?? '')
      continue
    }
    const id = [...words, word].join(':')
    if (!ids.some((known) => known === id || known.startsWith(`${id}:`))) break
    words.push(word)
  }
  return words.length === 0 ? [...argv] : [...words, ...moved, ...argv.slice(at)]
}

function flagOf(word: string, flags: Readonly<Record<string, FlagForm>>): FlagForm | undefined {
  const name = /^--([^=]+)/.exec(word)?.[1]
  if (name !== undefined) return Object.hasOwn(flags, name) ? flags[name] : undefined
  return Object.values(flags).find(({ char }) => char !== undefined && word.startsWith(`-${char}`))
}

/** True if the value is in the same word: `--output=json`, `-ojson`. */
const hasValue = (word: string): boolean => (word.startsWith('--') ? word.includes('=') : word.length > 2)
