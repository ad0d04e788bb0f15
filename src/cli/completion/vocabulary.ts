/** Tree of command words, flags and values. The shell completion scripts are generated from it. */
import type { Command } from '@oclif/core/command'

export interface Word {
  word: string
  summary: string
}

export interface CompletedFlag extends Word {
  /** Short flag, without its dash. */
  char: string | undefined
  takesValue: boolean
  /** Allowed values; empty if any value is allowed. */
  values: readonly string[]
}

/** Words that can follow the words typed so far. */
export interface Place {
  /** Words typed so far, such as `leads add`; empty at the root. */
  path: string
  /** Subcommands and topics. */
  words: Word[]
  flags: CompletedFlag[]
  /** Allowed values of arguments, if there is a list. */
  values: string[]
}

/** The parts of a command that the manifest keeps. */
export type Listed = Pick<Command.Loadable, 'id' | 'summary' | 'hidden' | 'flags' | 'args'>

/** Returns every place in the tree, the root first. `topics` describes words that are not commands. */
export function createVocabulary(
  commands: readonly Listed[],
  topics: readonly { name: string; description?: string | undefined }[],
): Place[] {
  const places = new Map<string, Place>([['', placeAt('')]])
  const about = new Map(topics.map(({ name, description }) => [name.replaceAll(':', ' '), description ?? '']))
  for (const command of commands.filter(({ hidden }) => !hidden).sort((a, b) => a.id.localeCompare(b.id))) {
    const words = command.id.split(':')
    words.forEach((word, at) => {
      const [above, path] = [words.slice(0, at).join(' '), words.slice(0, at + 1).join(' ')]
      const place = places.get(above)
      if (!places.has(path)) places.set(path, placeAt(path))
      const summary = at === words.length - 1 ? command.summary : about.get(path)
      const known = place?.words.find((one) => one.word === word)
      if (!known) place?.words.push({ word, summary: oneLine(summary) })
      else known.summary ||= oneLine(summary)
    })
    const place = places.get(words.join(' '))
    if (place)
      Object.assign(place, {
        flags: flagsOf(command),
        values: Object.values(command.args).flatMap(({ options }) => options ?? []),
      })
  }
  return [...places.values()]
}

function flagsOf({ flags }: Listed): CompletedFlag[] {
  return Object.values(flags)
    .filter(({ hidden }) => !hidden)
    .flatMap((flag) => {
      const takesValue = flag.type === 'option'
      const values = takesValue ? (flag.options ?? []) : []
      const plain = { word: flag.name, summary: oneLine(flag.summary), char: flag.char, takesValue, values }
      const negated = { ...plain, word: `no-${flag.name}`, char: undefined }
      return flag.type === 'boolean' && flag.allowNo ? [plain, negated] : [plain]
    })
}

const placeAt = (path: string): Place => ({ path, words: [], flags: [], values: [] })

const oneLine = (text: string | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()
