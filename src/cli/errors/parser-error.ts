/** Turns errors of the flag and argument parser into one-line usage errors. */
import { stripVTControlCharacters } from 'node:util'
import { quoteForShell } from '../input/shell-word.js'
import { flagMeaning } from './flag-meanings.js'
import { helpHint } from './help-hint.js'
import { nearestWord } from './suggest.js'
import { UsageError } from './usage-error.js'

/** The command as typed, such as `leads add`, with its flags and its examples. */
export interface KnownNames {
  command: string
  flags: readonly string[]
  examples?: readonly (string | { command: string })[]
  /** The flags by name; some take only certain values. */
  values?: Readonly<Record<string, object>>
}

export function usageErrorOf(thrown: unknown, { command, flags, examples, values = {} }: KnownNames): UsageError {
  const help = `svc ${command} --help shows what it takes.`
  const message = stripVTControlCharacters(thrown instanceof Error ? thrown.message : String(thrown))
  // The parser wraps our own errors in this text.
  const [, flag, inner] = /^Parsing (--\S+) \n\t([^]*?)(?:\nSee more help with --help)?$/.exec(message) ?? []
  if (thrown instanceof UsageError) return new UsageError(inner ?? message, thrown.hint ?? help)
  if (flag && inner) return wrongValue(flag, oneLine(inner), help)

  const [, named = '', value = '', options = ''] =
    /^Expected (?:(--[\w-]+)=)?([^]*) to be one of: ([^\n]*)/.exec(message) ?? []
  if (options !== '') return unknownValue(named, value, options.split(', '), values)
  const empty = /^Flag (--[\w-]+) expects (?:a value|one of these values: (.*))$/m.exec(message)
  if (empty) return new UsageError(`${empty[1]} needs a value.`, empty[2] ? `Use one of: ${empty[2]}.` : help)
  const [, one = '', other = ''] =
    /(--[\w-]+)(?:=[^]*)? cannot also be provided when using (--[\w-]+)/.exec(message) ?? []
  if (other !== '') return new UsageError(`${one} and ${other} exclude each other.`, 'Leave one of them out.')

  // Keep only the name: the rest may be a value, and so a secret.
  const unknown = /^Nonexistent flags?: (-[\w-]+)/.exec(message)?.[1]
  if (unknown !== undefined) {
    const near = unknown.startsWith('--') ? nearestWord(unknown.slice(2), flags) : undefined
    const meaning = flagMeaning(unknown, flags) ?? (near && `Did you mean --${near}?`)
    return new UsageError(`There is no flag ${unknown}.`, meaning ?? help)
  }
  if (/^Missing \d+ required arg/.test(message))
    return new UsageError(
      `Missing: ${argumentsOf(thrown)
        .map((name) => `<${name}>`)
        .join(', ')}.`,
      helpHint(command, examples),
    )
  return new UsageError(`${oneLine(message).replace(/\.$/, '')}.`, quotedWords(thrown, command) ?? help)
}

/** A command with one argument that got several words: they may be one name. Other words may be secret and are not repeated. */
function quotedWords(thrown: unknown, command: string): string | undefined {
  const { parse } = thrown as { parse?: { input?: { args?: object }; output?: { argv?: readonly unknown[] } } }
  const words = parse?.output?.argv ?? []
  const isName = words.every((word) => typeof word === 'string' && /^\p{L}[\p{L}'’.-]*$/u.test(word))
  if (words.length < 2 || !isName || Object.keys(parse?.input?.args ?? {}).length !== 1) return undefined
  return `Put a name of several words in quotes: svc ${command} ${quoteForShell(words.join(' '))}`
}

const bounds: readonly (readonly [parserWords: string, ours: string])[] = [
  ['greater than or equal to', 'at least'],
  ['less than or equal to', 'at most'],
]

/** Whole numbers that fit the flag. */
const examples: Readonly<Record<string, string>> = {
  '--port': '4011, or 0 for any free port',
  '--listen': '4080',
  '--status': '503',
}

/** `problem` is the parser's. It names only the bound that the value breaks. */
function wrongValue(flag: string, problem: string, help: string): UsageError {
  const [, bound = '', value = ''] = /^Expected an integer ?(.*?) ?but received: ([^]*)$/.exec(problem) ?? []
  if (!problem.startsWith('Expected an integer')) return new UsageError(`${flag}: ${problem}.`, help)
  const [words, ours] = bounds.find(([start]) => bound.startsWith(start)) ?? []
  const isNumber = /^-?\d+$/.test(value)
  const limit = words === undefined ? '' : ` of ${ours}${bound.slice(words.length)}`
  return new UsageError(
    `${flag} ${JSON.stringify(value)}: ${isNumber ? `too ${ours === 'at most' ? 'large' : 'small'}` : 'not a whole number'}.`,
    `Use a whole number${limit}${limit === '' ? `, such as ${examples[flag] ?? '10'}` : ''}.`,
  )
}

function unknownValue(
  flag: string,
  value: string,
  options: readonly string[],
  values: KnownNames['values'] = {},
): UsageError {
  const word = value.replaceAll(/[\s-]+/g, '_')
  const own = nearestWord(word, options)
  const other = own === undefined ? valueOfOther(flag, word, values) : undefined
  const near = own ?? other
  return new UsageError(
    `${flag ? `${flag} ` : ''}${JSON.stringify(value)}: no such value.`,
    `${near === undefined ? '' : `Did you mean ${near}? `}The values ${other === undefined ? '' : `of ${flag} `}are: ${options.join(', ')}.`,
  )
}

/** Such as `--outcome interested` for `--status intrested`. */
function valueOfOther(flag: string, word: string, values: NonNullable<KnownNames['values']>): string | undefined {
  for (const [name, definition] of Object.entries(values)) {
    const { options = [] } = definition as { options?: readonly string[] }
    // The formats of --output are no values of the service.
    const near = name === 'output' ? undefined : nearestWord(word, options)
    if (near !== undefined && flag !== `--${name}`) return `--${name} ${near}`
  }
  return undefined
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
