/** What the exit codes mean, and which one an error has. */
import { ApiError, ConnectionError, NotTheApiError, UnsendableError } from '../../client/errors.js'
import { SettingsError } from '../../config/settings-error.js'
import { UnknownColumnError } from '../../output/columns.js'
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
  1: 'the service failed, or anything that is not below',
  2: 'usage: a bad flag or value, or one that is missing and nobody to ask',
  3: 'not found',
  4: 'not authenticated, or not permitted',
  5: 'refused by a rule of the service',
  6: 'some of a batch failed',
  7: 'rate-limited, still after the retries',
  8: 'the service could not be reached, or the connection broke past the retries',
  9: 'waited too long',
  130: 'interrupted',
}

/** Ended with a code and nothing more to say. */
export class ExitError extends Error {
  override readonly name = 'ExitError'
  readonly code: ExitCode

  constructor(code: ExitCode) {
    super(exitMeanings[code])
    this.code = code
  }
}

/** Stopped by Ctrl-C: what was done till then, and how to go on. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly hint: string | undefined

  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** There is no key, or none for this address. */
export class NoKeyError extends Error {
  override readonly name = 'NoKeyError'
  readonly hint: string

  /** `withheld` says why the key of the profile is not used. */
  constructor(withheld?: string) {
    super(withheld ?? 'Not logged in.')
    this.hint = withheld
      ? 'Set SVC_SECRET, or save a key for this address with svc login --profile <name> --base-url <url>.'
      : 'Run svc login, or svc simulate to start a local simulator.'
  }
}

/** What was waited for did not come in the time that was given. */
export class WaitedTooLongError extends Error {
  override readonly name = 'WaitedTooLongError'
}

/** The service allows no more for longer than may be waited. */
export class RateLimitedError extends Error {
  override readonly name = 'RateLimitedError'

  constructor(waitMs: number) {
    super(`The service takes no more new leads for ${Math.ceil(waitMs / 1000)} s, longer than --max-wait.`)
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ExitError) return error.code
  if (error instanceof InterruptedError) return exitCodes.interrupted
  if (error instanceof WaitedTooLongError) return exitCodes.timedOut
  if (error instanceof RateLimitedError) return exitCodes.rateLimited
  if (error instanceof UsageError || error instanceof SettingsError || error instanceof UnknownColumnError)
    return exitCodes.usage
  if (error instanceof UnsendableError || isFrameworkUsage(error)) return exitCodes.usage
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

/** The framework has errors of its own for words it can make nothing of, outside any command. */
function isFrameworkUsage(error: unknown): boolean {
  return error instanceof Error && 'oclif' in error
}
