/** What the parser of flags and arguments objects to, in our words: one line, without the dump it carries along. */
import { stripVTControlCharacters } from 'node:util'
import { nearestWord } from './suggest.js'
import { UsageError } from './usage-error.js'

/** What can be typed after the command, and the command itself: `leads add`. */
export interface KnownNames {
  command: string
  flags: readonly string[]
}

export function usageErrorOf(thrown: unknown, { command, flags }: KnownNames): UsageError {
  const help = `svc ${command} --help shows what it takes.`
  const message = stripVTControlCharacters(thrown instanceof Error ? thrown.message : String(thrown))
  // The parser puts these words around an error of ours.
  const [, flag, inner] = /^Parsing (--\S+) \n\t([^]*?)(?:\nSee more help with --help)?$/.exec(message) ?? []
  if (thrown instanceof UsageError) return new UsageError(inner ?? message, thrown.hint ?? help)
  if (flag && inner) return new UsageError(`${flag}: ${oneLine(inner)}.`, help)

  // What follows the name may be a value, and that a secret.
  const unknown = /^Nonexistent flags?: (-[\w-]+)/.exec(message)?.[1]
  if (unknown !== undefined) {
    const near = unknown.startsWith('--') ? nearestWord(unknown.slice(2), flags) : undefined
    return new UsageError(`There is no flag ${unknown}.`, near ? `Did you mean --${near}?` : help)
  }
  if (/^Missing \d+ required arg/.test(message))
    return new UsageError(
      `Missing: ${argumentsOf(thrown)
        .map((name) => `<${name}>`)
        .join(', ')}.`,
      help,
    )
  return new UsageError(`${oneLine(message).replace(/\.$/, '')}.`, help)
}

/** The names of the arguments that the parser's error is about. */
function argumentsOf(thrown: unknown): string[] {
  const { args = [] } = thrown as { args?: readonly { name: string }[] }
  return args.map(({ name }) => name)
}

function oneLine(message: string): string {
  return message
    .replace(/\nSee more help with --help\s*$/, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ')
}
