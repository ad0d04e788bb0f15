/** Error for an unknown command, with a suggestion. */
import { globalFlags } from '../base/flags.js'
import { quoteForShell } from '../input/shell-word.js'
import { findMeaning, flagOfWord } from './command-meanings.js'
import { nearestWord } from './suggest.js'
import { UsageError } from './usage-error.js'

const longestEcho = 100

/** Summaries of all commands and topics, by what the user types. */
export type CommandSummaries = ReadonlyMap<string, string>

/** All commands, and the flags of each, as they are typed. */
export interface KnownCommands {
  summaries: CommandSummaries
  flagsOf: (command: string) => readonly string[]
}

/** `id` is the typed command, with colons. The error lists the commands of its topic. */
export function describeUnknownCommand(id: string, rest: readonly string[], commandsKnown: KnownCommands): UsageError {
  if (id.startsWith('-')) return describeFlagWithoutCommand(id, rest, commandsKnown)
  const known = commandsKnown.summaries
  const words = id.split(':')
  const commands = [...known.keys()]
  const below = commandsOf(words[0] ?? '', known)
  // The framework reads extra words after a command as a subcommand.
  const command = longestCommand(words, commands)
  if (command?.includes(' ') && commandsOf(command, known).length > 0) return unknownInGroup(words, command, known)
  if (command !== undefined && (command.includes(' ') || below.length === 0)) return extraWords(words, command)
  const meaning = findMeaning([...words, ...rest.filter((word) => !word.startsWith('-'))], commands)
  if (meaning && 'command' in meaning)
    return new UsageError(
      unknownCommand(words.slice(0, meaning.used)),
      didYouMean([meaning.command, ...words.slice(meaning.used)]),
    )
  if (meaning) return new UsageError(`${unknownCommand(words)} ${meaning.reason}`, undefined, below)
  if (below.length > 0) return unknownInTopic(words, commands, below)
  const near = nearestTopic(words, rest, commands)
  return new UsageError(unknownCommand(words), near === undefined ? 'svc --help lists the commands.' : didYouMean(near))
}

/** The line has a flag where a command was expected: after `svc`, or after the name of a group. `rest` follows the flag. */
export function describeFlagWithoutCommand(
  word: string,
  rest: readonly string[],
  { summaries, flagsOf }: KnownCommands,
  group?: string,
): UsageError {
  const [flag = ''] = word.split('=')
  const command = commandAmong(rest, [...summaries.keys()], group)
  if (command !== undefined && flagsOf(command).includes(flag))
    return new UsageError(`${flag} belongs after "${command}".`, `svc ${command} --help shows its flags.`)
  const known = ['help', 'version', ...Object.keys(globalFlags)]
  const isKnown = known.some((one) => `--${one}` === flag)
  const near = flag.startsWith('--') && !isKnown ? nearestWord(flag.slice(2), known) : undefined
  if (near !== undefined) return new UsageError(`There is no flag ${flag}.`, `Did you mean --${near}?`)
  if (!isKnown && flag.startsWith('--') && (command !== undefined || group === undefined))
    return new UsageError(
      `There is no global flag ${flag}.`,
      command === undefined ? 'svc --help lists the commands.' : `svc ${command} --help shows the flags.`,
    )
  if (group === undefined) return new UsageError('No command was named.', 'Flags come after it: svc leads list --json.')
  return new UsageError(
    `No command of svc ${group} was named.`,
    `Flags come after it. svc ${group} --help lists the commands.`,
  )
}

/** The first command among these words: after other flags and their values. In a group, one of its commands. */
function commandAmong(words: readonly string[], commands: readonly string[], group?: string): string | undefined {
  const before = group === undefined ? [] : group.split(' ')
  const starts = words.map((_, at) => [...before, ...words.slice(at)])
  const found = starts.map((start) => longestCommand([...start, ''], commands))
  return found.find((one) => one !== undefined && one !== group)
}

const unknownCommand = (words: readonly string[]): string =>
  `There is no command "${words.join(' ').slice(0, longestEcho)}".`

/** The whole line to type, as far as it is no flag. */
const didYouMean = (words: readonly string[]): string =>
  `Did you mean svc ${words
    .map((word, at) => (at === 0 ? word : quoteForShell(word)))
    .join(' ')
    .slice(0, longestEcho)}?`

const longestCommand = (words: readonly string[], commands: readonly string[]): string | undefined =>
  words.map((_, at) => words.slice(0, -at - 1).join(' ')).find((one) => commands.includes(one))

function extraWords(words: readonly string[], command: string): UsageError {
  const extra = words.slice(command.split(' ').length)
  const flag = flagOfWord(command)
  const said = extra.join(' ').slice(0, longestEcho)
  const hint = flag === undefined ? `svc ${command} --help shows what it takes.` : didYouMean([command, flag, ...extra])
  return new UsageError(`svc ${command} takes no "${said}".`, hint)
}

function unknownInTopic(words: readonly string[], commands: readonly string[], below: readonly string[]): UsageError {
  const near = nearestBelow(words[0] ?? '', words[1] ?? '', commands)
  if (near === undefined)
    return new UsageError(unknownCommand(words.slice(0, 2)), `svc ${words[0]} --help shows more.`, below)
  return new UsageError(unknownCommand(words.slice(0, 2)), didYouMean([near, ...words.slice(2)]))
}

/** In a group inside another: `simulate snapshot`. */
function unknownInGroup(words: readonly string[], group: string, known: CommandSummaries): UsageError {
  const depth = group.split(' ').length
  const near = nearestBelow(group, words[depth] ?? '', [...known.keys()])
  const typed = unknownCommand(words.slice(0, depth + 1))
  if (near !== undefined) return new UsageError(typed, didYouMean([near, ...words.slice(depth + 1)]))
  return new UsageError(typed, `svc ${group} --help shows more.`, commandsOf(group, known))
}

/** A word after a command that is also a group: `simulate lst`. */
export function describeUnknownSubcommand(
  group: string,
  [word = '', ...rest]: readonly string[],
  { summaries }: KnownCommands,
): UsageError {
  const commands = [...summaries.keys()]
  const typed = unknownCommand([group, word])
  const nested = nestedCommands(group, word, commands)
  const meaning = findMeaning([group, word], commands)
  if (nearestBelow(group, word, commands) === undefined) {
    const lines = nested.map((one) => `svc ${one}`)
    if (lines.length > 0) return new UsageError(typed, `Did you mean ${lines.join(' or ')}?`)
    if (meaning && 'reason' in meaning) return new UsageError(`${typed} ${meaning.reason}`)
    if (meaning) return new UsageError(typed, didYouMean([meaning.command, ...rest]))
  }
  return unknownInGroup([group, word, ...rest], group, summaries)
}

/** The commands of that name or meaning in the groups of a group: `simulate snapshot list` for `ls`. */
function nestedCommands(group: string, word: string, commands: readonly string[]): string[] {
  const groups = commands.filter(
    (one) => one.startsWith(`${group} `) && commands.some((two) => two.startsWith(`${one} `)),
  )
  return groups.flatMap((one) => {
    const meaning = findMeaning([one, word], commands)
    return meaning && 'command' in meaning ? meaning.command : (nearestBelow(one, word, commands) ?? [])
  })
}

/** The typed words with the first one corrected, and the second one too if need be. */
function nearestTopic(
  words: readonly string[],
  rest: readonly string[],
  commands: readonly string[],
): string[] | undefined {
  const [first = '', second, ...others] = words
  const topics = [...new Set(commands.map((one) => one.split(' ')[0] ?? ''))]
  // `list leads`
  if (second !== undefined && topics.includes(second)) {
    const swapped = findMeaning([second, first], commands)
    if (swapped && 'command' in swapped) return [swapped.command, ...others]
  }
  const topic = nearestWord(first, topics) ?? nearestWord([first, ...rest].join(' '), topics)
  if (topic === undefined) return undefined
  if (second === undefined || !commands.some((one) => one.startsWith(`${topic} `))) return [topic, ...words.slice(1)]
  const meaning = findMeaning([topic, second], commands)
  if (meaning) return 'command' in meaning ? [meaning.command, ...others] : [topic]
  const near = commands.includes(`${topic} ${second}`) ? `${topic} ${second}` : nearestBelow(topic, second, commands)
  return near === undefined ? [topic] : [near, ...others]
}

/** Compares only the words below a topic: the same topic would make any two commands look alike. */
function nearestBelow(topic: string, word: string, commands: readonly string[]): string | undefined {
  const below = commands.filter((one) => one.startsWith(`${topic} `)).map((one) => one.slice(topic.length + 1))
  const near = nearestWord(word, below)
  return near && `${topic} ${near}`
}

/** Lines with the commands of a topic and their summaries. */
function commandsOf(topic: string, known: CommandSummaries): string[] {
  const depth = topic.split(' ').length + 1
  const found = [...known].filter(([name]) => name.startsWith(`${topic} `) && name.split(' ').length === depth)
  const width = Math.max(0, ...found.map(([name]) => name.length))
  return found.map(([name, summary]) => `svc ${name.padEnd(width)}  ${summary}`.trimEnd())
}
