/** Error for an unknown command, with a suggestion. */
import { findMeaning } from './command-meanings.js'
import { nearestWord } from './suggest.js'
import { UsageError } from './usage-error.js'

const longestEcho = 100

/** Summaries of all commands and topics, by what the user types. */
export type CommandSummaries = ReadonlyMap<string, string>

/** `id` is the typed command, with colons. The error lists the commands of its topic. */
export function describeUnknownCommand(id: string, rest: readonly string[], known: CommandSummaries): UsageError {
  if (id.startsWith('-')) return new UsageError('No command was named.', 'Flags come after it: svc leads list --json.')
  const words = id.split(':')
  const typed = words.join(' ')
  const commands = [...known.keys()]
  const unknown = `There is no command "${typed.slice(0, longestEcho)}".`
  // The framework reads extra words after a command as a subcommand.
  const command = words.map((_, at) => words.slice(0, -at - 1).join(' ')).find((one) => commands.includes(one))
  const meaning = findMeaning([...words, ...rest.filter((word) => !word.startsWith('-'))], commands)
  if (meaning && 'command' in meaning) return new UsageError(unknown, `Did you mean svc ${meaning.command}?`)
  const below = commandsOf(words[0] ?? '', known)
  if (meaning) return new UsageError(`${unknown} ${meaning.reason}`, undefined, below)
  const near =
    nearestCommand(words, commands) ?? nearestWord([typed, ...rest].join(' '), below.length > 0 ? [] : commands)
  const isBelow = near?.split(' ').length === words.length
  if (command !== undefined && !isBelow && below.length === 0) {
    const extra = typed.slice(command.length + 1, longestEcho)
    return new UsageError(`svc ${command} takes no "${extra}".`, `svc ${command} --help shows what it takes.`)
  }
  if (near !== undefined && (isBelow || below.length === 0)) return new UsageError(unknown, `Did you mean svc ${near}?`)
  if (below.length > 0) return new UsageError(unknown, `svc ${words[0]} --help shows more.`, below)
  return new UsageError(unknown, 'svc --help lists the commands.')
}

/** Compares only the words below a known topic: the same topic would make any two commands look alike. */
function nearestCommand(words: readonly string[], commands: readonly string[]): string | undefined {
  const topic = words.slice(0, -1).join(' ')
  const below = commands.filter((one) => one.startsWith(`${topic} `)).map((one) => one.slice(topic.length + 1))
  if (topic === '' || below.length === 0) return nearestWord(words.join(' '), commands)
  const near = nearestWord(words.at(-1) ?? '', below)
  return near && `${topic} ${near}`
}

/** Lines with the commands of a topic and their summaries. */
function commandsOf(topic: string, known: CommandSummaries): string[] {
  const found = [...known].filter(([name]) => name.startsWith(`${topic} `) && name.split(' ').length === 2)
  const width = Math.max(0, ...found.map(([name]) => name.length))
  return found.map(([name, summary]) => `svc ${name.padEnd(width)}  ${summary}`.trimEnd())
}
