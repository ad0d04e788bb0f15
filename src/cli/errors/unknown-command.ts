/** Error for an unknown command, with a suggestion. */
import { nearestWord } from './suggest.js'
import { UsageError } from './usage-error.js'

const longestEcho = 100

/** `id` is the typed command, with colons. `known` lists all commands. */
export function describeUnknownCommand(id: string, rest: readonly string[], known: readonly string[]): UsageError {
  if (id.startsWith('-')) return new UsageError('No command was named.', 'Flags come after it: svc leads list --json.')
  const words = id.split(':')
  const typed = words.join(' ')
  const commands = known.map((command) => command.replaceAll(':', ' '))
  const near = nearestWord(typed, commands) ?? nearestWord([typed, ...rest].join(' '), commands)
  // The framework reads extra words after a command as a subcommand.
  const command = words.map((_, at) => words.slice(0, -at - 1).join(' ')).find((one) => commands.includes(one))
  const isBelow = near?.split(' ').length === words.length
  if (command !== undefined && !isBelow) {
    const extra = typed.slice(command.length + 1, longestEcho)
    return new UsageError(`svc ${command} takes no "${extra}".`, `svc ${command} --help shows what it takes.`)
  }
  const hint = near === undefined ? 'svc --help lists the commands.' : `Did you mean svc ${near}?`
  return new UsageError(`There is no command "${typed.slice(0, longestEcho)}".`, hint)
}
