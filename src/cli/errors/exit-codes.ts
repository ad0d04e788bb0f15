/** Exit codes, their meanings, and the mapping from errors to exit codes. */
import { ApiError, ConnectionError, NotTheApiError, UnsendableError } from '../../client/errors.js'
import { SettingsError } from '../../config/settings-error.js'
import { UnknownColumnError } from '../../output/columns/columns.js'
import { JqSyntaxError } from '../../output/jq.js'
import { UsageError } from './usage-error.js'

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  partly: 6,
  rateLimited: 7,
  unreachable: 8,
  timedOut: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed: an error of the service, or any error not listed below',
  2: 'usage: an invalid flag or value, or a required one is missing',
  3: 'not found',
  4: 'not logged in, or not permitted',
  5: 'refused by a rule of the service',
  6: 'partly failed: some items of a batch were refused',
  7: 'rate-limited, even after retries',
  8: 'unreachable: no connection to the service, even after retries',
  9: 'timed out',
  130: 'interrupted; 143 by SIGTERM',
}

/** Ends the command with an exit code and prints no message. */
export class ExitError extends Error {
  override readonly name = 'ExitError'

  constructor(readonly code: number) {
    super(`The exit code is ${code}.`)
  }
}

/** Interrupted by Ctrl-C or another signal. The message says what was done; the hint says how to continue. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'

  constructor(
    message: string,
    readonly hint?: string,
    readonly exitCode: number = exitCodes.interrupted,
  ) {
    super(message)
  }
}

/** No key is set, or none for the address in use. */
export class NoKeyError extends Error {
  override readonly name = 'NoKeyError'
  readonly hint: string

  /** `withheld` explains why the profile's key is not used. */
  constructor(withheld?: string) {
    super(withheld ?? 'Not logged in.')
    this.hint = withheld
      ? 'Set SVC_SECRET, or save a key for this address with svc login --profile <name> --base-url <url>.'
      : 'Run svc login, or svc simulate to start a local simulator.'
  }
}

/** A wait reached its timeout. */
export class WaitedTooLongError extends Error {
  override readonly name = 'WaitedTooLongError'
}

/** Nothing matches a name, phone or external id. Exit code 3, like an id that the service does not know. */
export class NoMatchError extends Error {
  override readonly name = 'NoMatchError'

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

/** A rule of the service does not allow what was asked for. It was found without asking the service. */
export class RuleError extends Error {
  override readonly name = 'RuleError'

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

/** The rate limit lasts longer than `--max-wait`. */
export class RateLimitedError extends Error {
  override readonly name = 'RateLimitedError'

  constructor(waitMs: number) {
    super(
      `The lead limit is used up for another ${Math.ceil(waitMs / 1000)} s, longer than --max-wait. Raise --max-wait or try again later.`,
    )
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitError) return error.code
  if (error instanceof InterruptedError) return error.exitCode
  if (error instanceof WaitedTooLongError) return exitCodes.timedOut
  if (error instanceof RateLimitedError) return exitCodes.rateLimited
  if (error instanceof UsageError || error instanceof SettingsError || error instanceof UnknownColumnError)
    return exitCodes.usage
  if (error instanceof JqSyntaxError) return exitCodes.usage
  if (error instanceof UnsendableError || isFrameworkUsage(error)) return exitCodes.usage
  if (error instanceof NoMatchError) return exitCodes.notFound
  if (error instanceof RuleError) return exitCodes.refused
  if (error instanceof NoKeyError) return exitCodes.notAllowed
  if (error instanceof ConnectionError) return exitCodes.unreachable
  if (error instanceof NotTheApiError) return exitCodes.failed
  if (error instanceof ApiError) return exitCodeOfApiError(error)
  return exitCodes.failed
}

function exitCodeOfApiError({ status, refusal }: ApiError): ExitCode {
  if (refusal.code === 'limit_reached') return exitCodes.refused
  if (status === 404) return exitCodes.notFound
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 429) return exitCodes.rateLimited
  if (status === 400 || status === 409 || status === 422) return exitCodes.refused
  return exitCodes.failed
}

/** The command-line framework throws its own error class for unknown words outside any command. */
function isFrameworkUsage(error: unknown): boolean {
  return error instanceof Error && 'oclif' in error
}
