/** What to do next after an error of the service or of the connection. */
import type { ApiErrorBody, ConnectionError } from '../../client/errors.js'
import { quoteForShell } from '../input/shell-word.js'

/** What a run was about, as far as it is known. */
export interface RunContext {
  /** Command as typed: `leads add`. */
  command: string
  /** Where the address came from: `flag --base-url`, `environment SVC_BASE_URL`, `profile work`, `default`. */
  addressSource?: string | undefined
  /** Where the key came from, in the same form. */
  keySource?: string | undefined
  /** The phone number that was given, if there is only one. */
  phone?: string | undefined
}

/** By error code, if nothing in the reply is more specific. */
const byCode: Readonly<Record<string, (run: RunContext) => string>> = {
  authentication_failed: ({ keySource }) => checkKey(keySource),
  on_dnc_list: ({ phone = '' }) =>
    `svc dnc list --search ${phone.replaceAll(/\D/g, '') || '<phone>'} shows when the number was listed, and from where.`,
  consent_required: () => 'Send it with --consent-source, --consent-at and --consent-text or --consent-url.',
  ambiguous_external_id: () => 'Add --campaign <name or id>.',
  campaign_closed: () => 'svc campaigns list --status running shows campaigns that take leads.',
}

export function nextStepAfterRefusal(
  { code, missing_permission: missing, lead_id }: ApiErrorBody,
  retryAfterSeconds: number | undefined,
  run: RunContext,
): string | undefined {
  if (lead_id) return `svc leads get ${quoteForShell(lead_id)} shows the lead that is there.`
  if (missing !== undefined) return `Ask an administrator of the organization for a key with the permission ${missing}.`
  if (retryAfterSeconds !== undefined) return `Try again in ${retryAfterSeconds} s, or wait longer with --max-wait.`
  return byCode[code]?.(run)
}

/** How to correct a key, by where it came from. */
function checkKey(source = ''): string {
  const [where, name = ''] = source.split(' ')
  if (where === 'profile' && /^simulator(-\d+)?(-live)?$/.test(name))
    return `The key is that of profile ${name}. svc simulate saves its new keys there when it starts without --no-profile.`
  if (where === 'profile')
    return `The key is that of profile ${name}. svc login --profile ${quoteForShell(name)} saves another one.`
  if (where === 'environment') return `The key is from ${name}, which wins over profiles. Correct or unset it.`
  return 'svc whoami shows which key is used, and where it came from.'
}

/** The server at the address refused the connection, or did not answer. */
export function nextStepUnreachable(
  { message, code }: Pick<ConnectionError, 'message' | 'code'>,
  { command, addressSource }: RunContext,
): string {
  const silent = 'It may be busy or stopped, or another program has this port.'
  if (code === 'ANSWER_TIMEOUT') return `${silent} Try again later.`
  if (code === 'ANSWER_TOO_SLOW') return `${silent} SVC_TIMEOUT=10m waits longer.`
  const typed = typedIn(addressSource)
  if (typed)
    return `Check the address in ${typed}${isOnThisMachine(message) ? ' and whether a server runs there' : ' and the connection'}.`
  if (command === 'login')
    return 'Add --base-url <url> to log in to another service. svc simulate starts a simulator, which needs no login.'
  return isOnThisMachine(message)
    ? 'Is it running? svc simulate starts the simulator; svc whoami shows the address in use.'
    : 'Check the address and the connection. svc whoami shows the address in use, and where it came from.'
}

/** Another server answered. */
export function nextStepNotTheApi({ addressSource }: RunContext): string {
  const typed = typedIn(addressSource)
  return typed
    ? `Check the address in ${typed}: it has the path of the API, such as https://api.example.com/api/v1/external.`
    : 'Is this the address of the API? svc whoami shows which is used, and where it came from.'
}

/** The flag or variable that an address was typed in; undefined if it came from a profile or is the default. */
function typedIn(source = ''): string | undefined {
  return /^(?:flag|environment) (\S+)$/.exec(source)?.[1]
}

/** True if the message names an address of this machine, where a simulator may run. */
const isOnThisMachine = (message: string): boolean => /\/\/(localhost|127\.[\d.]+|\[::1\])([:/ ]|$)/.test(message)
