/** Flags shared by commands, and parsers for their values. */
import * as Flags from '@oclif/core/flags'
import type { Interfaces } from '@oclif/core'
import { formats } from '../../output/format.js'
import { UsageError } from '../errors/usage-error.js'

const group = 'GLOBAL'

/** Flags of every command. */
export const globalFlags = {
  output: Flags.option({ options: formats, char: 'o', helpGroup: group, summary: 'Output format' })(),
  json: Flags.boolean({
    helpGroup: group,
    summary: 'Print JSON, like --output json; --json a,b prints only these fields',
    exclusive: ['output'],
  }),
  jq: Flags.string({
    helpGroup: group,
    summary: 'Filter JSON output with a jq expression; prints strings raw',
    helpValue: '<expression>',
  }),
  columns: Flags.string({ helpGroup: group, summary: 'Columns to print, separated by commas', helpValue: '<a,b>' }),
  utc: Flags.boolean({ helpGroup: group, summary: 'Show times as ISO in UTC' }),
  'no-header': Flags.boolean({ helpGroup: group, summary: 'Leave out the header row' }),
  profile: Flags.string({ helpGroup: group, summary: 'Profile to use', helpValue: '<name>' }),
  'base-url': Flags.string({ helpGroup: group, summary: 'Base address of the API', helpValue: '<url>' }),
  'no-input': Flags.boolean({ helpGroup: group, summary: 'Never prompt for input' }),
  'no-color': Flags.boolean({ helpGroup: group, summary: 'Print no colors' }),
  verbose: Flags.boolean({ helpGroup: group, summary: 'Log each request and reply to stderr, with secrets masked' }),
  'max-wait': Flags.string({ helpGroup: group, summary: 'Maximum time to wait for rate limits', helpValue: '<60s>' }),
}

export type GlobalFlags = Interfaces.InferredFlags<typeof globalFlags>

/** Flag of a list that the API sends whole. */
export const limitFlag = { limit: Flags.integer({ summary: 'Maximum number to list', min: 1 }) }

/** Flags of a list with pages. Without `--limit`, the API sends `pageSize` of them. */
export const listFlags = (pageSize: number) => ({
  limit: Flags.integer({ summary: `Maximum number to list (default: ${pageSize})`, min: 1 }),
  'starting-after': Flags.string({ summary: 'Id to start after', helpValue: '<id>' }),
  all: Flags.boolean({ summary: 'Fetch all pages' }),
})

/** Start of a time range: a date-time, a date, or a duration before now. */
export const sinceFlag = (summary: string) => ({
  since: Flags.string({ summary, helpValue: '<time>', aliases: ['created-after'] }),
})

/** End of a time range. */
export const untilFlag = (summary: string) => ({
  until: Flags.string({ summary, helpValue: '<time>', aliases: ['created-before'] }),
})

/** Options of a repeatable flag: one value each time, so that an argument can follow it. */
export const repeated = { multiple: true, multipleNonGreedy: true } as const

/** Flag of commands that ask for confirmation. */
export const yesFlag = { yes: Flags.boolean({ char: 'y', summary: 'Skip the confirmation' }) }

/** Flags of every command that writes. */
export const writeFlags = {
  'idempotency-key': Flags.string({ summary: 'Idempotency key for this action', helpValue: '<key>' }),
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Parses a duration into milliseconds: `90s`, `4m`, `24h`, `31d`, or a plain number of seconds. */
export function durationMs(text: string, flag: string): number {
  const plain = /^\d+(\.\d+)?$/.test(text)
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)]
  if (plain) return Number(text) * 1_000
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0)
  }
  throw new UsageError(`${flag} ${text} is not a duration.`, 'It reads like 90s, 4m, 24h, 31d, or a number of seconds.')
}

/** Parses a clock speed factor: a number above 0. */
export function speedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const speed = /^\d+(\.\d+)?(e\d+)?$/i.test(text) ? Number(text) : 0
  if (speed > 0 && Number.isFinite(speed)) return speed
  throw new UsageError(`--speed ${text} is not a number above 0.`)
}

/** Values of a flag that is repeatable and accepts comma-separated lists. Undefined if it was not given. */
export function listFlag(texts: readonly string[] | undefined): string[] | undefined {
  return texts
    ?.flatMap((text) => text.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** Parses a repeated `k=v` flag. Rejects a name that is given twice, because one of the values would be lost. */
export function pairFlag(texts: readonly string[], flag: string): Record<string, string> {
  const found = new Map<string, string>()
  for (const text of texts) {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`${flag} ${text} is not a pair.`, `It reads like ${flag} name=value.`)
    const name = text.slice(0, at)
    if (found.has(name)) throw new UsageError(`${flag} says twice what ${name} is.`, 'Leave one of the two out.')
    found.set(name, text.slice(at + 1))
  }
  return Object.fromEntries(found)
}

/** Parses a repeated `Name: value` flag. Errors do not repeat the text, because it may hold a secret. */
export function headersOf(texts: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(':')
      if (at < 1) throw new UsageError(`The value of ${flag} is not a header.`, `It reads like ${flag} 'Name: value'.`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}
