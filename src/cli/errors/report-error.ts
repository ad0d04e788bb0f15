/** Formats a failure as text with a next step, or as one JSON document. Prints no stack trace and no secret. */
import { ApiError, ConnectionError, NotTheApiError, type ApiErrorBody } from '../../client/errors.js'
import { SettingsError } from '../../config/settings-error.js'
import { UnknownColumnError } from '../../output/columns/columns.js'
import { JqSyntaxError, JqValueError } from '../../output/jq.js'
import { maskSecrets, maskSecretsIn } from '../../output/mask.js'
import { dim } from '../../output/badge.js'
import { wrapLines } from '../../output/wrap.js'
import { escapeControlsInJson, stripControlsFromLine } from '../../output/sanitize.js'
import {
  exitCodeOf,
  exitCodes,
  InterruptedError,
  NoKeyError,
  NoMatchError,
  RateLimitedError,
  RuleError,
} from './exit-codes.js'
import { nextStepAfterRefusal, nextStepNotTheApi, nextStepUnreachable, type RunContext } from './next-steps.js'
import { nearestWord } from './suggest.js'
import { UnreadableAnswerError } from './unreadable-answer.js'
import { cancelled, UsageError } from './usage-error.js'

export interface Failure {
  exitCode: number
  /** Error object of the API, or one of the same form. */
  error: { code: string; message: string; [field: string]: unknown }
  /** The message for people, if it differs from that of the error object. */
  sentence?: string
  /** Lines under the message that a person reads, such as the leads that match. */
  details: readonly string[]
  /** Facts for support and programs, on one line: `code: ...`, `status: ...` */
  facts: readonly string[]
  hint: string | undefined
}

export interface ReportOptions extends RunContext {
  /** Secrets of this run that the mask cannot recognize by their form. */
  secrets: readonly string[]
  /** Next steps by error code that are specific to the command. */
  nextSteps?: Readonly<Record<string, string>>
  /** The flag or argument that a `param` of the API means, as it was typed. */
  flagOf?: (param: string) => string | undefined
  /** Adds the flags that chose the service to the commands of a hint. */
  carry?: (text: string) => string
}

export function describeFailure(error: unknown, options: ReportOptions): Failure {
  const failure = describeError(error, options)
  const { carry } = options
  if (carry === undefined || failure.hint === undefined) return failure
  const hint = carry(failure.hint)
  return { ...failure, hint, error: { ...failure.error, ...('hint' in failure.error && { hint }) } }
}

function describeError(error: unknown, options: ReportOptions): Failure {
  const { secrets } = options
  const exitCode = exitCodeOf(error)
  if (error instanceof ApiError) return describeRefusal(error, exitCode, options)
  const text = isOwnFault(error)
    ? ownFault(error)
    : error instanceof UnreadableAnswerError
      ? `svc cannot read the answer (${firstLine(error)}).`
      : firstLine(error)
  const message = error instanceof UsageError && !error.repeatsInput ? text : maskSecrets(text, secrets)
  const hint = hintOf(error, options)
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
    details,
    facts: request_id ? [`request: ${request_id}`] : [],
    hint,
  }
}

function describeRefusal(error: ApiError, exitCode: number, options: ReportOptions): Failure {
  const { command, secrets, nextSteps: own = {}, flagOf } = options
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
    ['request', requestId],
  ] as const
  const flag = refusal.param && isAboutValue(error) ? flagOf?.(refusal.param) : undefined
  const isUsage = flag !== undefined && refusal.code === 'invalid_request'
  return {
    exitCode: isUsage ? exitCodes.usage : exitCode,
    error: { ...refusal },
    ...sentenceOf(refusal, flag, options),
    details: refusal.candidates?.map(({ id, campaign_id }) => `${id}  (campaign ${campaign_id})`) ?? [],
    facts: facts.flatMap(([name, value]) => (value ? `${name}: ${value}` : [])),
    hint:
      own[refusal.code] ??
      nextStepAfterRefusal(refusal, retryAfterSeconds, options) ??
      (isUsage ? helpOf(command) : undefined),
  }
}

/** True if the value itself is wrong: malformed, or the id of nothing. Other refusals depend on the state of the service. */
const isAboutValue = ({ status }: ApiError): boolean => status === 400 || status === 404

/** The message for people: with the flag in front, or with the number that they typed in place of the masked one. */
function sentenceOf(refusal: ApiErrorBody, flag: string | undefined, { secrets, phone = '' }: ReportOptions) {
  if (flag !== undefined) return { sentence: maskSecrets(nameFlag(flag, refusal), secrets) }
  const [number = '', lastFour = ''] = maskedNumber.exec(refusal.message) ?? []
  if (number === '' || !phone.replaceAll(/\D/g, '').endsWith(lastFour)) return {}
  return { sentence: maskSecrets(`${phone} ${refusal.message.slice(number.length)}`, secrets) }
}

/** The message of the API with the flag in front, in place of the API's name for it, or of the number that it has masked. */
function nameFlag(flag: string, { message, param }: ApiErrorBody): string {
  const [number = '', lastFour = ''] = maskedNumber.exec(message) ?? []
  if (number !== '' && flag.replaceAll(/\D/g, '').endsWith(lastFour)) return `${flag} ${message.slice(number.length)}`
  return `${flag}: ${message.startsWith(`${param}: `) ? message.slice(`${param}: `.length) : message}`
}

/** A phone number at the start of a message, masked by the service (rule F2). */
const maskedNumber = /^[+(]?\*[*\s()./-]*(\d{4}) (?=is |has |was )/

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? message
}

/** True for a TypeError: a bug in svc. One that an answer of the wrong shape caused has become an `UnreadableAnswerError`. */
const isOwnFault = (error: unknown): error is Error => error instanceof TypeError

const ownFault = (error: Error) => `svc has a fault and had to stop (${firstLine(error)}).`

function wordOf(error: unknown): string {
  if (error instanceof SettingsError) return 'settings'
  if (error instanceof NoKeyError) return 'no_key'
  if (error instanceof NoMatchError) return 'not_found'
  if (error instanceof InterruptedError) return 'interrupted'
  return words[exitCodeOf(error)] ?? 'failed'
}

const words: Readonly<Record<number, string>> = {
  [exitCodes.usage]: 'usage',
  [exitCodes.refused]: 'refused',
  [exitCodes.rateLimited]: 'rate_limited',
  [exitCodes.unreachable]: 'unreachable',
  [exitCodes.timedOut]: 'timed_out',
}

function hintOf(error: unknown, run: RunContext): string | undefined {
  if (error instanceof UsageError || error instanceof SettingsError || error instanceof InterruptedError)
    return error.hint
  if (error instanceof JqSyntaxError || error instanceof JqValueError) return error.hint
  if (error instanceof UnknownColumnError) {
    const near = nearestWord(error.column, error.known)
    return `${near === undefined ? '' : `Did you mean ${near}? `}The columns are: ${error.known.join(', ')}.`
  }
  if (error instanceof RateLimitedError) return 'Wait longer with --max-wait, or go on later with --resume.'
  if (error instanceof NoKeyError || error instanceof NoMatchError || error instanceof RuleError) return error.hint
  if (error instanceof ConnectionError) return nextStepUnreachable(error, run)
  if (error instanceof NotTheApiError) return nextStepNotTheApi(run)
  if (error instanceof Error && error.message.includes('another simulator is using it'))
    return 'Use that one: svc whoami shows the address in use. Or start one more: svc simulate --port 0 --data :memory:'
  if (isOwnFault(error)) return 'SVC_DEBUG=1 shows where. Please report it with the command that you typed.'
  if (error instanceof UnreadableAnswerError)
    return 'Is this the address of the API? --verbose shows what it answers, and SVC_DEBUG=1 where svc stopped.'
  if (exitCodeOf(error) === exitCodes.usage) return helpOf(run.command)
  return undefined
}

const helpOf = (command: string): string => `${['svc', command].filter(Boolean).join(' ')} --help shows what it takes.`

/** Text for a person: the problem, what to do, and on the last line the facts for support. */
export function formatFailureText(
  { error, sentence, details, facts, hint }: Failure,
  color: boolean,
  width: number,
): string {
  // A command that a person has stopped is not an error.
  const head = error.code === 'interrupted' || error.message === cancelled ? '' : 'Error: '
  const wrapped = (line: string) => wrapLines(line, width)
  const indented = [...details, ...(hint ? [hint] : [])].map((line) => wrapped(`  ${stripControlsFromLine(line)}`))
  // Two spaces separate the facts, so that none breaks between its name and its value.
  const shown = facts.map((fact) => stripControlsFromLine(fact).replaceAll(' ', '\u00a0'))
  const technical = wrapped(shown.length > 0 ? `  ${shown.join('  ')}` : '').replaceAll('\u00a0', ' ')
  const dimmed = technical === '' ? [] : technical.split('\n').map((line) => dim(line, color))
  const lines = [wrapped(`${head}${stripControlsFromLine(sentence ?? error.message)}`), ...indented, ...dimmed]
  return `${lines.join('\n')}\n`
}

/** One JSON document for programs. */
export function formatFailureJson({ error, exitCode }: Failure): string {
  return `${escapeControlsInJson(JSON.stringify({ error, exit_code: exitCode }))}\n`
}
