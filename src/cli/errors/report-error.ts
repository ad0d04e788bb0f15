/** Formats a failure as text with a next step, or as one JSON document. Prints no stack trace and no secret. */
import { ApiError, ConnectionError, NotTheApiError, type ApiErrorBody } from '../../client/errors.js'
import { SettingsError } from '../../config/settings-error.js'
import { UnknownColumnError } from '../../output/columns.js'
import { maskSecrets, maskSecretsIn } from '../../output/mask.js'
import { escapeControlsInJson, stripControlsFromLine } from '../../output/sanitize.js'
import {
  exitCodeOf,
  exitCodes,
  InterruptedError,
  NoKeyError,
  NoMatchError,
  RateLimitedError,
  type ExitCode,
} from './exit-codes.js'
import { quoteForShell } from '../input/shell-word.js'
import { UsageError } from './usage-error.js'

export interface Failure {
  exitCode: ExitCode
  /** Error object of the API, or one of the same form. */
  error: { code: string; message: string; [field: string]: unknown }
  /** Lines under the message: `code: ...`, `status: ...` */
  facts: readonly string[]
  hint: string | undefined
}

export interface ReportOptions {
  /** Command as typed: `leads add`. */
  command: string
  /** Secrets of this run that the mask cannot recognize by their form. */
  secrets: readonly string[]
  /** Next steps by error code that are specific to the command. */
  nextSteps?: Readonly<Record<string, string>>
}

export function describeFailure(error: unknown, telling: ReportOptions): Failure {
  const { command, secrets } = telling
  const exitCode = exitCodeOf(error)
  if (error instanceof ApiError) return describeRefusal(error, exitCode, telling)
  const message = maskSecrets(isOwnFault(error) ? ownFault(error) : firstLine(error), secrets)
  const hint = hintOf(error, command)
  const request_id = error instanceof NotTheApiError ? error.requestId : undefined
  const details = error instanceof UsageError ? error.details.map((detail) => maskSecrets(detail, secrets)) : []
  return {
    exitCode,
    error: {
      code: wordOf(error),
      message,
      ...(details.length > 0 && { details }),
      ...(request_id && { request_id }),
      ...(hint && { hint }),
    },
    facts: [...details, ...(request_id ? [`request: ${request_id}`] : [])],
    hint,
  }
}

function describeRefusal(
  error: ApiError,
  exitCode: ExitCode,
  { secrets, nextSteps: own = {} }: ReportOptions,
): Failure {
  const { status, requestId, retryAfterSeconds } = error
  const refusal = maskSecretsIn(error.refusal, secrets)
  const facts = [
    ['code', refusal.code],
    ['status', String(status)],
    ['param', refusal.param],
    ['reason', refusal.reason],
    ['lead', refusal.lead_id],
    ['campaign', refusal.campaign_id],
    ['missing permission', refusal.missing_permission],
    ['candidates', refusal.candidates?.map(({ id, campaign_id }) => `${id} (campaign ${campaign_id})`).join(', ')],
    ['request', requestId],
  ] as const
  return {
    exitCode,
    error: { ...refusal },
    facts: facts.flatMap(([name, value]) => (value ? `${name}: ${value}` : [])),
    hint: own[refusal.code] ?? nextStep(refusal, retryAfterSeconds),
  }
}

const nextSteps: Readonly<Record<string, string>> = {
  authentication_failed: 'svc whoami shows which key is used and where it came from.',
  on_dnc_list: 'svc dnc check <phone> shows the entry; a listed number is never called.',
  consent_required: 'Send it with --consent-source, --consent-at and --consent-text or --consent-url.',
  ambiguous_external_id: 'Add --campaign <id>.',
  endpoint_paused: 'svc webhooks resume <id> first.',
  campaign_closed: 'svc campaigns list --status running shows campaigns that take leads.',
}

function nextStep(
  { code, missing_permission: missing, lead_id }: ApiErrorBody,
  retryAfterSeconds: number | undefined,
): string | undefined {
  if (lead_id) return `svc leads get ${quoteForShell(lead_id)} shows the lead that is there.`
  if (missing !== undefined) return `Ask an administrator of the organization for a key with the permission ${missing}.`
  if (retryAfterSeconds !== undefined) return `Try again in ${retryAfterSeconds} s, or wait longer with --max-wait.`
  return nextSteps[code]
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? message
}

/** True for a TypeError: a bug in svc, most likely triggered by an unexpected answer. */
const isOwnFault = (error: unknown): error is Error => error instanceof TypeError

const ownFault = (error: Error) => `svc cannot read the answer (${firstLine(error)}).`

function wordOf(error: unknown): string {
  if (error instanceof SettingsError) return 'settings'
  if (error instanceof NoKeyError) return 'no_key'
  if (error instanceof NoMatchError) return 'not_found'
  return words[exitCodeOf(error)] ?? 'failed'
}

const words: Partial<Record<ExitCode, string>> = {
  [exitCodes.usage]: 'usage',
  [exitCodes.rateLimited]: 'rate_limited',
  [exitCodes.unreachable]: 'unreachable',
  [exitCodes.timedOut]: 'timed_out',
  [exitCodes.interrupted]: 'interrupted',
}

function hintOf(error: unknown, command: string): string | undefined {
  if (error instanceof UsageError || error instanceof SettingsError || error instanceof InterruptedError)
    return error.hint
  if (error instanceof UnknownColumnError) return `The columns are: ${error.known.join(', ')}.`
  if (error instanceof RateLimitedError) return 'Wait longer with --max-wait, or go on later with --resume.'
  if (error instanceof NoKeyError || error instanceof NoMatchError) return error.hint
  if (error instanceof ConnectionError)
    return isOnThisMachine(error.message)
      ? 'Is it running? svc simulate starts the simulator; svc whoami shows the address in use.'
      : command === 'login' || command === 'profiles add'
        ? 'Check the address in --base-url and the connection.'
        : 'Check the address and the connection. svc whoami shows the address in use, and where it came from.'
  if (error instanceof NotTheApiError)
    return 'Is this the address of the API? svc whoami shows which is used, and where it came from.'
  if (isOwnFault(error))
    return 'Is this the address of the API? --verbose shows what it answers, and SVC_DEBUG=1 where svc stopped.'
  if (exitCodeOf(error) === exitCodes.usage)
    return `${['svc', command].filter(Boolean).join(' ')} --help shows what there is.`
  return undefined
}

/** True if the message names an address of this machine, where a simulator may run. */
const isOnThisMachine = (message: string): boolean => /\/\/(localhost|127\.[\d.]+|\[::1\])([:/ ]|$)/.test(message)

/** Text for a terminal: message, facts and next step. */
export function formatFailureText({ exitCode, error, facts, hint }: Failure): string {
  // An interrupted command is not an error.
  const head = exitCode === exitCodes.interrupted ? '' : 'Error: '
  const lines = [
    `${head}${stripControlsFromLine(error.message)}`,
    ...facts.map((fact) => `  ${stripControlsFromLine(fact)}`),
  ]
  return `${[...lines, ...(hint ? [`  ${stripControlsFromLine(hint)}`] : [])].join('\n')}\n`
}

/** One JSON document for programs. */
export function formatFailureJson({ error, exitCode }: Failure): string {
  return `${escapeControlsInJson(JSON.stringify({ error, exit_code: exitCode }))}\n`
}
