/** Turns errors of the flag and argument parser into one-line usage errors. */
import { stripVTControlCharacters } from 'node:util'
import { nearestWord } from './suggest.js'
import { UsageError } from './usage-error.js'

/** The command as typed, such as `leads add`, and its flags. */
export interface KnownNames {
  command: string
  flags: readonly string[]
}

export function usageErrorOf(thrown: unknown, { command, flags }: KnownNames): UsageError {
  const help = `svc ${command} --help shows what it takes.`
  const message = stripVTControlCharacters(thrown instanceof Error ? thrown.message : String(thrown))
  // The parser wraps our own errors in this text.
  const [, flag, inner] = /^Parsing (--\S+) \n\t([^]*?)(?:\nSee more help with --help)?$/.exec(message) ?? []
  if (thrown instanceof UsageError) return new UsageError(inner ?? message, thrown.hint ?? help)
  if (flag && inner) return new UsageError(`${flag}: ${oneLine(inner)}.`, help)

  // Keep only the name: the rest may be a value, and so a secret.
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

/** Names of the missing arguments. */
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
